// Package timeline writes what happens in one SM, cycle by cycle, as a JSON
// trace in the Trace Event Format of Chrome and Perfetto: open the file at
// ui.perfetto.dev or chrome://tracing. One microsecond there is one core cycle.
//
// The tracks, by group:
//
//	Launches         kernels
//	Schedulers       each scheduler's issue slots: what issued, or the reason why not
//	Warps            each warp context: the instruction that it issues, or what it waits for
//	Collectors       each operand collector, from allocation to dispatch, and within, to its last operand
//	Operands         each source of each collector, from the request to the arrival, in its stages
//	Banks            accesses of each register bank, in the cycle in which they start
//	Crossbar         values under way to each collector
//	Execution units  operations from entry to the result; the load/store unit to the reply
//	Memory           accesses of caches and shared memory, lines on their way by MSHR, the interconnect
//
// Events of one operation have its tag, warp and instruction. Arrows lead from
// its issue to its collector, its unit and the banks that its result is written
// to, and from the request of an operand to its bank and crossbar.
//
// The recorder listens on ports (wire.InPort.Listen) and to the events of
// schedulers and collectors, so that a design built of the blocks of package
// components is drawn without a line in it. It changes no result, and costs
// nothing when there is none. Memory is bounded: events are written as they end.
package timeline
