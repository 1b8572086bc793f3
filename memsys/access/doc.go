// Package access implements the access unit, which connects the load/store unit of
// an SM to the memory blocks behind it.
//
// It takes one warp memory instruction per cycle, gives it a slot, sends it to
// the block that serves its state space (a generic access with lanes in several
// spaces becomes a part for each), collects the completions, and replies.
// Instructions leave in order and complete in any order. Per cycle it answers one
// access with a result, which needs the result port of the load/store unit, and
// one without, whose acknowledgement does not.
//
// A completion that cannot be answered waits in its pipeline, unless the unit
// sinks all completions (Unit.Sink).
//
// Ports: In (Access), Out (Reply); Memory, Shared, Constant (Part) to the
// blocks; Completions (Done) from them, one per completing pipeline.
package access
