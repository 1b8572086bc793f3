// Package snapshot writes the state of a graph of Go values, and reads it back into another graph. The other graph
// must be built in the same way, such as a machine of the same configuration built by the same program.
//
// The state is everything reachable from the root through pointers, slices, maps, interfaces and fields, exported
// or not. Functions, channels and the types of package sync are excluded: they keep their values in the target
// graph. A function may refer to blocks of the graph, but memory reachable only through functions is not saved. A
// pointer to an element or a field keeps its place within the whole. Memory shared by two pointers is shared again
// after reading.
//
// A block of memory in the target graph is reused if it is reached by the same path as in the source graph, so
// functions that refer to the block stay valid. Blocks without a counterpart are newly allocated.
//
// The format is valid for one program on one machine: values are written as they lie in memory. A file format
// containing a snapshot should therefore identify the program.
package snapshot
