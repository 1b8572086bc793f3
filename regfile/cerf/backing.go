package cerf

import (
	"kumiko/components/version"
	"kumiko/regfile"
)

// backing is the memory for replaced registers, one region for each SM. The L2 holds the values themselves. Version
// contents are kept for checking only.
type backing struct {
	regfile.Region
	spilled []bool            `soft:"State counts it where the setting has it"` // by register: it has gone to the L2 since its CTA started
	stored  []version.Content // by register: the lanes that have left for the L2; nil unless checking
	asked   []version.Content // by MSHR, of its register when the request left; nil unless checking
}

// check makes backing keep the version contents of the given number of registers, and of requests for them.
func (b *backing) check(registers, mshrs int) {
	b.stored, b.asked = make([]version.Content, registers), make([]version.Content, mshrs)
}

// address returns the address of a register by its number.
func (b *backing) address(number int) uint64 { return b.Base + uint64(number)<<lineShift }

// register returns the number of the register at an address.
func (b *backing) register(addr uint64) int { return int((addr - b.Base) >> lineShift) }

// spill records that lanes of a register have left for the L2.
func (b *backing) spill(addr uint64, c version.Content) {
	if b.stored != nil {
		s := &b.stored[b.register(addr)]
		*s = s.Overlay(c)
	}
}

// request records that an MSHR's request for a register has left.
func (b *backing) request(mshr uint32, addr uint64) {
	if b.asked != nil {
		b.asked[mshr] = b.stored[b.register(addr)]
	}
}

// reply returns the content brought by the reply to an MSHR's request for a register.
func (b *backing) reply(mshr uint32) version.Content {
	if b.asked == nil {
		return version.Content{}
	}
	return b.asked[mshr]
}
