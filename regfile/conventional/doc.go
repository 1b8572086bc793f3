// Package conventional implements the register file of a conventional GPU: banks behind an arbiter, a crossbar,
// operand collectors, and a write-back stage. It may be divided into sub-cores, each with banks, collectors and
// arbiter of its own, or serve all schedulers from one.
//
// One sub-core and its neighbours, every link with a latency of 1 cycle unless stated otherwise:
//
//	Issue -> collectors -> arbiter -> banks -(read_latency)-> crossbar -(crossbar_latency)-> collectors -> Ready
//	Result -> write-back -(forward + 1)-> arbiter -> banks
//	          write-back -> Done
//	          write-back -> result bus -> collectors -> Early (with a bypass)
//
// An example without conflicts and with the shortest latencies: an operation with one register source is visible at
// the collectors at t. Its request is at the arbiter at t+1 and at its bank at t+2. The value is at the crossbar at
// t+3 and back at the collector at t+4. The operation is at its execution unit at t+5. If the crossbar delivers one
// value per cycle to a collector, each further source adds a cycle. An execution unit shared among sub-cores stands
// behind an arbiter, which adds one cycle.
//
// Done is sent when the Result arrives. The write reaches the arbiter forward+1 cycles later. This is soon enough:
// the scheduler sees the Done one cycle later and issues a reader at the earliest then. The reader's requests reach
// the arbiter 3 cycles after the Done was sent, through two links. forward is at most 2, so the write is there no
// later, and writes go before reads of the same cycle.
//
// Issued operations wait for a collector in order, and an operation without a collector blocks all behind it. With
// issue_registers operations wait by execution unit: only operations of the same unit block each other, and the
// units of a scheduler take turns. Taken notifies the scheduler of freed issue registers.
//
// # Stages and extensions
//
// With operand_stages, plain pipeline stages stand between collectors and write-back on one side and the arbiter on
// the other. Reads and writes pass through the same stages. An operation without reads stays in its collector for
// the time of the stages. With a bypass results are announced earlier by the same number of cycles, so that
// dependent operations are no farther apart than without the stages.
//
// A design adds blocks of its own to each sub-core by New(env, spec, Extend(f)). f gets the dimensions of the
// sub-core (Part), builds the blocks and returns their ports (Extension):
//
//	a register cache         Request and Result in, Read and Write out: behind the stages; Operand for its
//	                         values, Fill for values from the banks
//	a user of the banks      Read and Write out, Values in (ExtraOutput): at the arbiter beside the others
//	tags before the banks    Granted in, Access out: between arbiter and banks
//	an operand path          Ends in, Operand out (Outputs): between the network and the collectors
//
// regfile/rfc, regfile/internal/moving, regfile/cerf and regfile/ltrf are examples, in this order.
//
// Registers are not renamed, and the file does not limit capacity: every register of every warp context has an
// entry. Residency decides how many warps there are.
//
// # Bypass
//
// With the setting bypass, the collectors announce results of units of known latency up to 6 cycles before their
// value arrives (see components/collector), and capture operands in flight from a result bus. The Result comes 2
// cycles before its value. It is at the bus one cycle later, and at the collectors one cycle before its write is at
// the arbiter. So an operation too late for the result in flight reads the bank after the write. From unit to unit
// a dependence then takes one cycle more than the unit's latency.
package conventional
