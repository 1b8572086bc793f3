// Package snapshot writes the state of a graph of Go values and reads it back into another graph that was built
// in the same way, as a machine of the same configuration is by the same program.
//
// Everything is state that can be reached from the root through pointers, slices, maps, interfaces and fields,
// exported or not. Functions, channels and the types of package sync are not: they stay what they are in the graph
// that is read into. So a function may refer to blocks of the graph, but what it alone refers to is not kept.
// A pointer to an element or a field keeps its place within the whole, and whatever two pointers share they share
// again.
//
// A block of memory of the graph that is read into is used again where the same path leads to it, so that
// functions that refer to it go on to do so. Blocks that there are no others for are made anew.
//
// The format holds for one program on one machine: values are written as they lie in memory. Who
// writes snapshots to files says there what program wrote them.
package snapshot
