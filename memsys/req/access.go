package req

import (
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// Access is one warp memory instruction, as the load/store unit of an SM hands
// it to the memory system.
//
// Contract: Exec is not empty, Acc is not nil and stays unchanged until the
// reply. Tag is unique among the accesses of the SM that are in flight. Every
// access is answered by exactly one Reply.
type Access struct {
	Inst *ir.Inst
	Acc  *stream.Access
	Tag  uint32
	Exec uint32 // lanes that execute
	Warp uint16 // warp context of the SM, below SMSpec.Warps
}

// Reply says that an access is complete. Loads, atomics, texture fetches and
// prefetches reply when all their data is there; stores and reductions (red),
// which have no destination, reply with Store set once every part is
// acknowledged by the cache that owns it, so that a fence may count them.
// Shared-memory and constant accesses reply in the same way.
//
// A Reply with Missed set answers nothing. It says that the access, which has a
// result, has missed the first-level cache. It comes at most once for an access, and
// before its answer.
type Reply struct {
	Tag    uint32
	Warp   uint16
	Store  bool
	Missed bool
}

// WarpContext is what a warp has beside registers, on its way between the SM's pipeline and
// shared memory.
//
// Predicates stands for its content, as far as the operand check follows it: the version
// of the warp's predicates. Shared memory keeps what goes out, and answers what comes
// with what it has.
type WarpContext struct {
	Bytes      uint32
	Predicates uint32
	CTA, Warp  uint16
	Out        bool // of the pipeline
}
