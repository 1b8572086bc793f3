// Package tagarray implements the tags of a set-associative structure: the line
// in each way, its sectors that are valid, dirty or on their way, and the way
// that is replaced next.
//
// It is a block to embed in a component (an L1, an L2 slice, a register file
// made of cache lines), not a component: it has no ports and takes no time.
// The embedding component defines what an access means, what a miss costs and
// when a line is allocated. Entries are named by a number below
// Sets x Ways; every query is free of side effects, so a component may ask
// again in a later cycle.
//
// There is no data array: the timing model keeps no data.
package tagarray
