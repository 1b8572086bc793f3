// Package sched orders the instructions of each basic block: list scheduling by
// the longest latency-weighted path to the end of the block, held back where
// more registers would be live than the kernel needs anyway.
package sched
