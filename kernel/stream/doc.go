// Package stream has the results of functional execution for the timing model: for each warp of a CTA the dynamic
// instructions in program order, packed as runs of consecutive PCs under one active mask, with a mask of its own
// for each guarded instruction and an address record for each memory instruction.
//
// A CTA's streams do not change once made, until they are released to a source for reuse of their memory. So one
// emulation serves any number of timed runs. A timed run that skips instructions sets jumps in its own copy of the
// warps.
package stream
