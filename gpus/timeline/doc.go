// Package timeline writes the activity of one SM, cycle by cycle, as a JSON trace in the Trace Event Format of
// Chrome and Perfetto. Open the file at ui.perfetto.dev or chrome://tracing. One microsecond there is one core
// cycle.
//
// The tracks, by group:
//
//	Launches         kernels; where launches run side by side, also each stream, and the CTA slots of the SM with the
//	                 kernel of each CTA
//	Schedulers       each scheduler's issue slots: the issued instruction, or the reason for issuing none
//	Warps            each warp context: the issued instruction, or the reason for waiting
//	Collectors       each operand collector, from allocation to dispatch, and within, to its last operand
//	Operands         each source of each collector, from the request to the arrival, in its stages
//	Banks            accesses of each register bank, in the cycle in which they start
//	Crossbar         values in flight to each collector
//	Execution units  operations from entry to the result; the load/store unit to the reply
//	Memory           accesses of caches and shared memory, lines in flight by MSHR, the interconnect
//
// Events of one operation have its tag, warp and instruction, and its kernel and stream beside others. Arrows lead from
// its issue to its collector, its unit and the banks written with its result, and from the request of an operand to its
// bank and crossbar.
//
// The recorder listens on ports (wire.OnPut, wire.OnPop) and to the events of schedulers and collectors. A design
// composed of blocks from package components is thus drawn without further code. The recorder changes no result,
// and costs nothing when absent. Memory is bounded: events are written as they end.
package timeline
