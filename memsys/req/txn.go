package req

import (
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// MaxParts bounds the state spaces of one access: a generic
// access may have lanes in shared, local and global memory.
const MaxParts = 3

// Part is the share of an access in one state space, on its way from
// the access unit to the block serving the space.
type Part struct {
	Inst *ir.Inst
	Acc  *stream.Access
	// Base is subtracted from the addresses. It is the window of the space for
	// generic addresses, and otherwise 0.
	Base  uint64
	Exec  uint32 // lanes with addresses in Acc
	Mask  uint32 // the lanes of the part among these
	Slot  uint16 // of the access unit
	Warp  uint16
	Index uint8 // of the part within the access
	Space ir.Space
}

// Txn is one transaction of a part: at most one line.
type Txn struct {
	Addr    uint64 // of the line
	Slot    uint16
	Warp    uint16 `soft:"for observers"` // context
	Index   uint8  // of the part within the access
	Of      uint8  // number of transactions of the part
	Kind    Kind
	Cause   Cause
	Words   uint32 // of the line, touched
	Sectors uint8  // touched, or fetched where whole lines are
	Full    uint8  // stores: fully written sectors
	Bytes   uint8  // bytes touched
	Ops     uint8  // atomics: lanes
	Depth   uint8  // atomics: most lanes on one word
	Bypass  bool   // the cache operator asks for the L2
	Around  uint8  // loads: sectors fetched should the load pass the cache by
	// ReadOnly marks ld.global.nc. Such loads may be cached even if other
	// global loads are not.
	ReadOnly bool
}

// Done reports the completion of one of the Of transactions of a part.
type Done struct {
	Slot  uint16
	Index uint8
	Of    uint8
}

// Done returns the answer to the transaction.
func (t *Txn) Done() Done { return Done{Slot: t.Slot, Index: t.Index, Of: t.Of} }

// Missed reports a miss or a bypass of a first-level cache by a transaction of a slot's access.
type Missed struct{ Slot uint16 }

// direct marks the tag of a packet belonging to a transaction rather than to
// a miss status holding register.
const direct = 1 << 31

// Tag packs the answer to a transaction into the tag of a packet. Such packets
// need no other record while in flight.
func (d Done) Tag() uint32 {
	return direct | uint32(d.Index)<<24 | uint32(d.Of)<<16 | uint32(d.Slot)
}

// TagDone returns the answer packed by Tag, and false for tags of other origin.
// These are below 1<<31.
func TagDone(tag uint32) (Done, bool) {
	return Done{Slot: uint16(tag), Of: uint8(tag >> 16), Index: uint8(tag >> 24 & 3)}, tag&direct != 0
}
