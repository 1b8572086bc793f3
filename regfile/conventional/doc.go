// Package conventional is the register file of a conventional GPU: banks behind
// an arbiter, a crossbar, and operand collectors; and a stage that writes
// results. It may be divided into sub-cores, each with banks, collectors and
// arbiter of its own, or serve all schedulers from one.
//
// One sub-core, and what it is joined to, every link with a latency of 1 cycle
// unless said otherwise:
//
//	Issue -> collectors -> arbiter -> banks -(read_latency)-> crossbar -(crossbar_latency)-> collectors -> Ready
//	Result -> write-back -(forward + 1)-> arbiter -> banks
//	          write-back -> Done
//	          write-back -> result bus -> collectors -> Early (with a bypass)
//
// Without conflicts and with the shortest latencies, an operation with one
// register source that is visible at the collectors at t is at the arbiter at
// t+1, at its bank at t+2, its value at the crossbar at t+3 and back at the
// collector at t+4, and the operation at its execution unit at t+5. A crossbar
// that gives a collector one value per cycle adds a cycle for each further
// source. An execution unit that is shared among sub-cores stands behind an
// arbiter, which adds one cycle.
//
// Done is sent when the Result arrives; the write reaches the arbiter forward+1
// cycles later. That is soon enough: whoever sees the Done, one cycle later,
// issues at the earliest then, so that its reads reach the arbiter 3 cycles
// after the Done was sent, through two links; forward is at most 2, so the write
// is there no later, and writes go before reads of the same cycle.
//
// What is issued waits for a collector in order, and one that has none holds up
// all behind it. With issue_registers operations wait by execution unit, those
// of one unit for each other alone, and the units of a scheduler take turns; the
// scheduler hears on Taken what has room again.
//
// # Blocks in between
//
// With operand_stages, plain pipeline stages stand between collectors and
// write-back on the one side and the arbiter on the other, which reads and writes
// pass alike. A design puts a block of its own there with NewBetween: a register
// cache, for example. It is given what its ports need (Part) and says what it has
// (Block): ports for requests and results, and, if it wants them, for what the
// banks give, instead of the collectors or beside them. An operation that reads nothing stays in its collector for
// the stages that those that read pass, and with a bypass results are announced that much earlier, so that dependent
// operations stay as far apart as without.
//
// What it is not: registers are not renamed, and capacity is not its business:
// every register of every warp context has an entry (residency decides how many
// warps there are).
//
// # Bypass
//
// With the setting bypass, results of units of known latency are announced up to
// 6 cycles before their value is there, by the collectors (components/collector
// says when and how), and operands that are on their way are captured from a
// result bus. The Result comes 2 cycles ahead, is at the bus one cycle later and
// at the collectors one cycle before its write is at the arbiter, so that who no
// longer finds it on its way reads the bank behind the write. From unit to unit
// a dependence then takes one cycle more than the unit's latency.
package conventional
