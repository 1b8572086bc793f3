package ltrf

import (
	"kumiko/components/bank"
	"kumiko/kernel/compiler/intervals"
	"kumiko/kernel/ir"
)

// Job describes the change of a warp's registers in the cache by two vectors, to be processed by the sequencer.
type Job struct {
	Leave, Enter intervals.Set
	Warp         uint16
	Release      bool // when the registers of Leave have left, the warp needs no part of the cache any more
	Answer       bool // the warp waits until the registers of Enter are in the cache
}

// Leave is a register leaving the cache.
type Leave struct {
	Warp uint16
	Reg  ir.RegID
}

// Want is a step of a job at the allocation unit.
type Want struct {
	Warp uint16
	Reg  ir.RegID
	Kind WantKind
}

// WantKind is the kind of a want.
type WantKind uint8

// Kinds of wants.
const (
	Place   WantKind = iota // a bank for the register
	Release                 // the warp's part of the cache is freed once it is empty
	End                     // the job has no more registers
)

// Grant is a place for a register, or the end of a job.
type Grant struct {
	Warp   uint16
	Reg    ir.RegID
	Bank   uint8
	Offset uint8
	End    bool
}

// Freed is an unused bank of the part of the cache at an offset.
type Freed struct {
	Bank   uint8
	Offset uint8
}

// Fetch is a register to be read from the main file into a bank of the cache.
type Fetch struct {
	Warp  uint16
	Reg   ir.RegID
	Bank  uint8
	Cause bank.Cause
}

// Move is a register to be written from its place in the cache to the main file.
type Move struct {
	Warp   uint16
	Reg    ir.RegID
	Bank   uint8
	Offset uint8
	Cause  bank.Cause
}

// Landed reports the arrival of a register at the main file's arbiter. A read sent there from now on gets the
// written value.
type Landed struct {
	Warp uint16
	Reg  ir.RegID
	Past bool // a result without a place in the cache; otherwise a Move
}

// label encodes a register of a warp in the tag of a read; named decodes it. On the way back the tag also has the
// offset from which the register is read.
func label(warp uint16, reg ir.RegID) uint32 { return uint32(warp)<<8 | uint32(reg) }

func labelAt(warp uint16, reg ir.RegID, offset uint8) uint32 {
	return label(warp, reg) | uint32(offset)<<24
}

func offsetOf(tag uint32) uint8 { return uint8(tag >> 24) }

func named(tag uint32) (warp uint16, reg ir.RegID) { return uint16(tag >> 8), ir.RegID(tag) }
