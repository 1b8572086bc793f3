// Package liveness tells which registers and predicates are live where: those
// whose value some later instruction on some path may read before it is written
// again (backward may-liveness per lane).
//
// A write by a guarded instruction leaves the other lanes' values alone, so it
// ends no life, with one exception: where all later reads stand, in the same
// block, under the very same guard, the lanes that were not written do not read
// either.
//
// A lane's registers are its own, so for one lane, and for register allocation,
// this is exact under divergence too. A warp register is needed as long as one
// lane needs it: while a warp is diverged other lanes wait at other PCs, and what
// the warp needs is the union of the live vectors at the PCs of all the entries
// of its reconvergence stack (Union). A read is the last for the whole warp if
// neither the lanes that are on its path nor those that may wait elsewhere need the
// register (package marks, Dead).
package liveness
