// Package tagarray has the tags of a set-associative structure: which line
// lies in which way, which of its sectors are valid, dirty or on their way,
// and which way is replaced next.
//
// It is a block to embed in a component (an L1, an L2 slice, a register file
// made of cache lines), not a component: it has no ports and takes no time.
// What an access means, what a miss costs and when a line is allocated is the
// embedding component's business. Entries are named by a number below
// Sets x Ways; every query is free of side effects, so a component may ask
// again in a later cycle.
//
// It is not a data array: no data is kept anywhere in the timing model.
package tagarray
