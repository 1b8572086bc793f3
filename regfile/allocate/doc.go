// Package allocate implements the register file of NVIDIA's Turing and Ampere as measurements of
// the chips show it: in each sub-core a stage that reserves the read ports of two banks ahead, so
// that every instruction reads for the same time, and a register file cache of one value per bank
// and operand slot, which the compiler controls. There are no collectors and no crossbar.
//
// Sources: Huerta et al., "Dissecting and Modeling the Architecture of Modern GPU Cores" (MICRO
// 2025), sections 5.1 and 5.3, and the simulator that they published. Where only the simulator
// says it, the text does too.
//
// A sub-core is one component, because the stage chooses among ports of banks within a cycle. Its
// ports, every link with a latency of 1 cycle:
//
//	Issue -> Control -> Allocate -> window -> Ready
//	            └-> queue of a unit -┘
//	Result -(forward)-> result queue -> banks
//	          Done
//	Notices: a warp has started in a context
//
// # Reading
//
// An operation that is issued at t is in Control at t + 1 and in Allocate at t + 2. Allocate holds
// it until the window, which is the next three cycles, has in each bank as many free cycles of a
// port as the operation has distinct registers there that are not in the cache. It then reserves
// the earliest of these. The operation is on Ready at the end of the window and in its unit one
// cycle later: six cycles after issue, whether it has reserved one register or three. An operation
// whose registers do not fit into a window, as of a wide matrix multiplication, has a window of
// twice the length (the simulator: six cycles for operands of four registers).
//
// Operations of variable latency (memory, special functions, double precision where the sub-cores
// share the unit, and others: ir.Class.FixedLatency) go from Control into a queue of their unit instead. In
// each cycle one operation at the head of a queue may reserve what Allocate leaves.
//
// The compiler counts on fixed latencies. So an operation is not allocated before its unit can
// take it at the end of the window and its result finds its way free (see Writing), and while one is
// held nothing issues and the stall counts of control words stand still (Gate.Stops). The paper lets
// another warp issue in the first of these cycles if Control is empty; the same instructions pass in
// the same time.
//
// # Register file cache
//
// Each bank keeps one register for each operand slot (ir.Timing.Slot) of the last operation of
// fixed latency that had the flag of reuse there (ir.Control.Reuse). An operand that finds its
// warp's register there is not read. Every access to a bank and slot ends what was kept, be it
// found or not; it is kept again if the access has the flag. Writes do not invalidate: the compiler
// answers for the flags, and a checker tells of a flag that outlives a write. Operations of variable
// latency have no part in this (the simulator).
//
// # Writing
//
// A bank has one write port. Results of fixed latency queue for it, and reads find what is queued,
// so that a conflict delays no consumer. A result of variable latency does not queue: it waits
// until its banks have nothing else to write. A Result arrives forward cycles before its value.
// Operands of fixed latency are bypassed: a value counts that is there when execution begins, and
// for those of variable latency a cycle earlier.
//
// Under control words a result of fixed latency must not wait. An operation is allocated only if the
// unit's output, a result port and a cycle of a write port for each register can be reserved for its
// result (package subcore, Timetable), and is held as for its unit otherwise. Results of variable
// latency come by the last result port, and wait there for cycles that nobody has reserved.
package allocate
