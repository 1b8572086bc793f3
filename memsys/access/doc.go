// Package access implements the access unit, which connects the load/store unit of
// an SM to the memory blocks behind it.
//
// It accepts one warp memory instruction per cycle, gives it a slot, sends it to the block of its state space
// (a generic access with lanes in several spaces is split into one part for each), collects the completions,
// and replies. Instructions are sent in order and complete in any order. Per cycle it answers one access with a
// result, which needs the result port of the load/store unit, and one without, whose acknowledgement needs no
// such port.
//
// A completion without room for its answer waits in its pipeline, unless the unit
// sinks all completions (Unit.Sink).
//
// Ports: In (Access), Out (Reply); Memory, Shared, Constant (Part) to the
// blocks; Completions (Done) from them, one per completing pipeline.
package access
