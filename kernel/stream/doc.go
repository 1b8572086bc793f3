// Package stream holds what functional execution hands to timing: for each warp
// of a CTA the dynamic instructions in program order, packed as runs of
// consecutive PCs under one active mask, with a mask of its own for each
// guarded instruction and an address record for each memory instruction.
//
// A CTA's streams are immutable once made, until they are released to a source that
// uses their memory again. So one emulation serves any number of timed runs. A timed
// run that leaves parts out gives a copy of the warps its own jumps.
package stream
