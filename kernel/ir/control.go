package ir

import "fmt"

// Counters is the number of dependence counters of a warp, and NoCounter stands for none.
const (
	Counters  = 6
	NoCounter = 7
)

// Control is the control word beside an instruction since Kepler, made by the hardware's compiler, in the form of
// Maxwell and later: the counters the instruction waits for, and the delay of its warp's next instruction. Sources:
// Huerta et al., "Dissecting and Modeling the Architecture of Modern GPU Cores" (MICRO 2025), section 4; maxas'
// wiki, Control Codes.
type Control struct {
	// Set reports whether there is a control word. The zero value is none.
	Set bool `json:",omitempty"`
	// Stall is the number of cycles, 0 to 15, from this issue to the earliest next issue of the warp. 0 acts as 1,
	// and on Maxwell pairs the instruction with the next one.
	Stall uint8
	// Yield: the next cycle belongs to another warp.
	Yield bool
	// Write is the counter held until the results are written, and Read the counter held until the sources are
	// read: 0 to 5, or NoCounter.
	Write uint8
	Read  uint8
	// Wait has a bit per counter: the counter must be zero before this instruction issues.
	Wait uint8
	// Reuse has a bit per operand slot, a lowest: the register stays in the reuse cache.
	Reuse uint8
	// Hold is the condition for the instructions behind a DEPBAR.
	Hold Hold `json:",omitzero"`
}

// Hold keeps instructions from issuing until one counter is at most Most, and the others are zero.
type Hold struct {
	Set     bool
	Counter uint8 // 0 to 5
	Most    uint8 // 0 to 63
	Others  uint8 // a bit per counter
}

// MostCounted is the highest value of a dependence counter.
const MostCounted = 63

// Plain returns the control word of an instruction without counters: a stall alone.
func Plain(stall int) Control {
	return Control{Set: true, Stall: uint8(stall), Write: NoCounter, Read: NoCounter}
}

// ControlOf decodes a control field of 21 bits. Maxwell has three of them in a bundle's first word (from bits 0, 21
// and 42), Volta and later one in bits 105 to 125 of an instruction. From the lowest bit: stall (4), yield (1, set
// for no yield), write counter (3), read counter (3), wait mask (6) and reuse (4).
func ControlOf(bits uint32) Control {
	return Control{Set: true, Stall: uint8(bits & 15), Yield: bits>>4&1 == 0, Write: uint8(bits >> 5 & 7),
		Read: uint8(bits >> 8 & 7), Wait: uint8(bits >> 11 & 63), Reuse: uint8(bits >> 17 & 15)}
}

// Bits encodes the control word in the format of ControlOf.
func (c Control) Bits() uint32 {
	b := uint32(c.Stall&15) | uint32(c.Write&7)<<5 | uint32(c.Read&7)<<8
	b |= uint32(c.Wait&63)<<11 | uint32(c.Reuse&15)<<17
	if !c.Yield {
		b |= 1 << 4
	}
	return b
}

// Sound reports whether the fields are within their ranges.
func (c *Control) Sound() bool {
	counter := func(n uint8) bool { return n < Counters || n == NoCounter }
	return !c.Set && c.Wait == 0 && !c.Hold.Set || c.Stall <= 15 && counter(c.Write) && counter(c.Read) &&
		c.Wait>>Counters == 0 && c.Reuse>>OperandSlots == 0 && c.Hold.Counter < Counters &&
		c.Hold.Most <= MostCounted && c.Hold.Others>>Counters == 0
}

// String returns the word in CuAssembler's notation, [B01--4-:R0:W3:Y:S04]. The reuse bits are not in it: in this
// notation they are at the operands.
func (c Control) String() string {
	if !c.Set {
		return "[none]"
	}
	text := []byte("[B------:R-:W-:-:S00]")
	for i := range Counters {
		if c.Wait>>i&1 != 0 {
			text[2+i] = byte('0' + i)
		}
	}
	if c.Read < Counters {
		text[10] = '0' + c.Read
	}
	if c.Write < Counters {
		text[13] = '0' + c.Write
	}
	if c.Yield {
		text[15] = 'Y'
	}
	return string(text[:18]) + fmt.Sprintf("%02d]", c.Stall)
}
