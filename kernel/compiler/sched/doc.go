// Package sched orders the instructions of each basic block: list scheduling by the longest latency-weighted path
// to the end of the block, limited by the number of registers the kernel needs anyway.
package sched
