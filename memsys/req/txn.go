package req

import (
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// MaxParts bounds the state spaces that one access falls into: a generic
// access may have lanes in shared, local and global memory.
const MaxParts = 3

// Part is the share of an access that lies in one state space, on its way from
// the access unit to the block that serves the space.
type Part struct {
	Inst *ir.Inst
	Acc  *stream.Access
	// Base is what to subtract from the addresses: the window of the space when
	// they are generic, else 0.
	Base  uint64
	Exec  uint32 // lanes that Acc has addresses of
	Mask  uint32 // those of them that belong to the part
	Slot  uint16 // of the access unit
	Warp  uint16
	Index uint8 // of the part within the access
	Space ir.Space
}

// Txn is one transaction of a part: at most one line.
type Txn struct {
	Addr    uint64 // of the line
	Slot    uint16
	Index   uint8 // of the part within the access
	Of      uint8 // transactions that the part was split into
	Kind    Kind
	Cause   Cause
	Words   uint32 // of the line, touched
	Sectors uint8  // touched, or fetched where whole lines are
	Full    uint8  // stores: sectors of which every byte is written
	Bytes   uint8  // bytes touched
	Ops     uint8  // atomics: lanes
	Depth   uint8  // atomics: most lanes on one word
	Bypass  bool   // the cache operator asks for the L2
	Around  uint8  // loads: sectors fetched should the load pass the cache by
	// ReadOnly marks ld.global.nc, which may be cached where other
	// global loads are not.
	ReadOnly bool
}

// Done says that one of the Of transactions of a part is complete.
type Done struct {
	Slot  uint16
	Index uint8
	Of    uint8
}

// Done is what answers the transaction.
func (t *Txn) Done() Done { return Done{Slot: t.Slot, Index: t.Index, Of: t.Of} }

// Missed says that a transaction of the access of a slot has missed a first-level
// cache, or passes it by.
type Missed struct{ Slot uint16 }

// direct marks the tag of a packet that belongs to a transaction rather than to
// a miss status holding register.
const direct = 1 << 31

// Tag packs the answer to a transaction into the tag of a packet, for packets
// that need no other record while they are under way.
func (d Done) Tag() uint32 {
	return direct | uint32(d.Index)<<24 | uint32(d.Of)<<16 | uint32(d.Slot)
}

// TagDone is the answer that Tag packed, and false for tags of other origin,
// which are below 1<<31.
func TagDone(tag uint32) (Done, bool) {
	return Done{Slot: uint16(tag), Of: uint8(tag >> 16), Index: uint8(tag >> 24 & 3)}, tag&direct != 0
}
