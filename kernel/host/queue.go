package host

// Queue is the place of a launch among launches that may overlap in time, as streams and events of CUDA give it. A
// launch without one is in the default stream: it begins when all launches before it have ended, and ends before any
// behind it begins.
//
// A Runner may take the time of a launch with a Queue later, but has its effects on memory when Launch returns, in the
// order of the calls. So a program is correct if launches that may overlap do not depend on each other's results.
type Queue struct {
	// Stream is its stream, from 1; 0: the default stream beside streams that do not wait for it. The launches of a
	// stream run in their order.
	Stream int
	// ID is a number of this launch, to which After of later ones refers; 0: none does.
	ID int
	// After has the IDs of launches in other streams that have to end before this one begins.
	After []int
	// Joins: all launches before this one end before it begins, as at a synchronization of the host.
	Joins bool
}
