package req

import (
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// Access is one warp memory instruction on its way from the load/store unit of an SM
// to the memory system.
//
// Contract: Exec is not empty, Acc is not nil and stays unchanged until the
// reply. Tag is unique among the accesses of the SM in flight. Every
// access is answered by exactly one Reply.
type Access struct {
	Inst *ir.Inst
	Acc  *stream.Access
	Tag  uint32
	Exec uint32 // executing lanes
	Warp uint16 // warp context of the SM, below SMSpec.Warps
}

// Reply reports the completion of an access. Loads, atomics, texture fetches and
// prefetches reply when all their data is there. Stores and reductions (red),
// which have no destination, reply with Store set. They reply when every part is
// acknowledged by the cache owning it, so a fence may count them.
// Shared-memory and constant accesses reply in the same way.
//
// A Reply with Missed set is no answer. It reports an access with a result as having missed the first-level
// cache. It comes at most once for an access, and before its answer.
type Reply struct {
	Tag    uint32
	Warp   uint16
	Store  bool
	Missed bool
}

// WarpContext is the state of a warp beside its registers, on its way between the SM's pipeline and
// shared memory.
//
// Predicates stands for the content, as far as the operand check follows it: the version
// of the warp's predicates. Shared memory stores outgoing contexts, and answers incoming
// ones with the stored content.
type WarpContext struct {
	Bytes      uint32
	Predicates uint32
	CTA, Warp  uint16
	Out        bool // of the pipeline
}
