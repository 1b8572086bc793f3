// Package cause names the blocks of an SM that can keep a warp ready to issue from issuing: its operation goes to a
// queue that is full, because the block behind it takes nothing, perhaps because of the block behind that. Each block
// of such a chain says what it waits for (see wire.Comp.Holds), and the last one is charged with the issue slot.
package cause

import "kumiko/components/wire"

// Blocks that can be the last of a chain of full queues.
const (
	RegisterFile wire.Cause = iota // and every block that says nothing
	Unit                           // an execution unit
	LoadStore                      // the load/store unit, and the path of addresses to it
	Shared                         // the banks of shared memory
	Cache                          // coalescer, first-level caches, constant cache
	Memory                         // what lies behind the first-level caches
	Num
)
