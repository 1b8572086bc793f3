package ltrf

import (
	"kumiko/components/bank"
	"kumiko/kernel/compiler/intervals"
	"kumiko/kernel/ir"
)

// Job is what the registers of a warp in the cache are to become: vectors, which the
// sequencer takes apart.
type Job struct {
	Leave, Enter intervals.Set
	Warp         uint16
	Release      bool // when Leave is gone, the warp needs no part of the cache any more
	Answer       bool // the warp waits until Enter is there
}

// Leave is a register that leaves the cache.
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

// WantKind says what is wanted.
type WantKind uint8

// Kinds of wants.
const (
	Place   WantKind = iota // a bank for the register
	Release                 // the warp's part of the cache is to be free once it is empty
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

// Freed is a bank of a warp's part of the cache that holds nothing any more.
type Freed struct {
	Warp uint16
	Bank uint8
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

// Landed reports that a register is at the main file's arbiter: what reads it from there
// from now on reads what was written.
type Landed struct {
	Warp uint16
	Reg  ir.RegID
	Past bool // a result that had no place in the cache; otherwise a Move
}

// label names a register of a warp in the tag of a read; named takes it apart.
func label(warp uint16, reg ir.RegID) uint32 { return uint32(warp)<<8 | uint32(reg) }

func named(tag uint32) (warp uint16, reg ir.RegID) { return uint16(tag >> 8), ir.RegID(tag) }
