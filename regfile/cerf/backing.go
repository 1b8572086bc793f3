package cerf

import (
	"kumiko/components/version"
	"kumiko/regfile"
)

// backing is the memory to which replaced registers go, one for each SM. The L2 has the values
// that have left the SM. Their contents are known only to a check of operands.
type backing struct {
	regfile.Region
	spilled []bool            `soft:"State counts it where the setting has it"` // by register: it has gone to the L2 since its CTA started
	stored  []version.Content // by register, as far as it has left; nil unless checking
	asked   []version.Content // by MSHR, of its register when the request left; nil unless checking
}

// check has the contents of the given number of registers kept, and of requests for them.
func (b *backing) check(registers, mshrs int) {
	b.stored, b.asked = make([]version.Content, registers), make([]version.Content, mshrs)
}

// address of a register by its number.
func (b *backing) address(number int) uint64 { return b.Base + uint64(number)<<lineShift }

// register is the number of the register at an address.
func (b *backing) register(addr uint64) int { return int((addr - b.Base) >> lineShift) }

// spill notes that lanes of a register have left.
func (b *backing) spill(addr uint64, c version.Content) {
	if b.stored != nil {
		s := &b.stored[b.register(addr)]
		*s = s.Overlay(c)
	}
}

// request notes that an MSHR's request for a register has left.
func (b *backing) request(mshr uint32, addr uint64) {
	if b.asked != nil {
		b.asked[mshr] = b.stored[b.register(addr)]
	}
}

// reply returns the content that an MSHR's request for a register brings.
func (b *backing) reply(mshr uint32) version.Content {
	if b.asked == nil {
		return version.Content{}
	}
	return b.asked[mshr]
}
