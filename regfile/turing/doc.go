// Package turing implements the register file of NVIDIA's Turing and Ampere, as inferred from measurements of the
// chips. Each sub-core has a stage that reserves the read ports of two banks ahead, so that every instruction reads
// for the same time, and a register file cache of one value per bank and operand slot, controlled by the compiler.
// There are no collectors and no crossbar.
//
// Sources: Huerta et al., "Dissecting and Modeling the Architecture of Modern GPU Cores" (MICRO 2025), sections 5.1
// and 5.3, and their published simulator. Details found only in the simulator are marked below.
//
// A sub-core is one component, because the stage chooses among ports of banks within a cycle. Its ports, every link
// with a latency of 1 cycle:
//
//	Issue -> Control -> Allocate -> window -> Ready
//	            └-> queue of a unit -┘
//	Result -(forward)-> result queue -> banks
//	          Done
//	Notices: a warp has started in a context
//
// # Reading
//
// An operation issued at t is in Control at t + 1 and in Allocate at t + 2. The window is the next three cycles.
// Allocate holds the operation until each bank has as many free port cycles in the window as the operation has
// distinct registers there outside the cache. It then reserves the earliest of these. The operation is on Ready at
// the end of the window and in its unit one cycle later: six cycles after issue, whether it has reserved one
// register or three. An operation with too many registers for a window, such as a wide matrix multiplication, has a
// window of twice the length (the simulator: six cycles for operands of four registers).
//
// Operations of variable latency (memory, special functions, double precision where the sub-cores share the unit,
// and others: ir.Class.FixedLatency) go from Control into a queue of their unit instead. In each cycle one
// operation at the head of a queue may reserve ports left free by Allocate.
//
// The compiler counts on fixed latencies. So an operation is allocated only if its unit can accept it at the end of
// the window and its result finds its way free (see Writing). While an operation is held, nothing issues and the
// stall counts of control words do not advance (Gate.Stops). The paper lets another warp issue in the first of
// these cycles if Control is empty; the same instructions pass in the same time.
//
// # Register file cache
//
// Each bank keeps one register for each operand slot (ir.Timing.Slot), of the last operation of fixed latency with
// the reuse flag there (ir.Control.Reuse). An operand found there, for its warp, is not read. Every access to a
// bank and slot drops the register kept there, whether found or not; the accessed register is kept if the access
// has the flag. Writes do not invalidate entries: the compiler is responsible for the flags, and a checker reports
// a flag outliving a write. Operations of variable latency do not use the cache (the simulator).
//
// # Writing
//
// A bank has one write port. Results of fixed latency queue for it, and reads also find queued results, so that a
// conflict delays no consumer. A result of variable latency does not queue: it waits until its banks have nothing
// else to write. A Result arrives forward cycles before its value. Operands of fixed-latency operations are
// bypassed: a value is used if it is there when execution begins. Operands of variable-latency operations must be
// there a cycle earlier, or with bypass = computed those of loads, stores and atomic operations alone.
//
// Under control words a result of fixed latency must not wait. An operation is allocated only if the unit's output,
// a result port and a cycle of a write port for each register can be reserved for its result (package subcore,
// Timetable), and is held otherwise. Results of variable latency arrive on the last result port, and wait there for
// unreserved cycles.
package turing
