// Package tagarray implements the tags of a set-associative structure: the line in each way, its valid, dirty and
// pending sectors, and the choice of the way to replace.
//
// An Array is state to embed in a component (an L1, an L2 slice, a register file made of cache lines), not a
// component: it has no ports and takes no time. The embedding component defines the meaning of an access, the cost
// of a miss and the moment of allocation. Entries are numbered below Sets x Ways. Queries have no side effects, so
// a component may repeat them in a later cycle.
//
// There is no data array: the timing model keeps no data.
package tagarray
