// Package access has the access unit, the door between the load/store unit of
// an SM and the memory blocks behind it.
//
// It takes one warp memory instruction per cycle, gives it a slot, sends it to
// the block that serves its state space (a generic access with lanes in
// several spaces becomes a part for each), collects the completions and
// replies. Instructions leave in order and complete in any order. One access of
// each sort, with a result or without, is answered per cycle: the result port
// of the load/store unit, and the acknowledgements, which need none.
//
// A completion that cannot be answered waits in its pipeline, unless the unit is
// to sink them all (Unit.Sink).
//
// Ports: In (Access), Out (Reply); Memory, Shared, Constant (Part) to the
// blocks; Completions (Done) from them, one per completing pipeline.
package access
