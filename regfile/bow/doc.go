// Package bow implements a register file with windows: storage for the registers of each warp's last instructions
// (Asghari Esfeden et al., "BOW: Breathing Operand Windows to Exploit Bypassing in GPUs", MICRO 2020). An operand
// read or written by an instruction in the window is not read from the banks again, and a result overwritten or
// dead before it leaves the window is not written to them.
//
// One sub-core; every link has a latency of 1 cycle unless stated otherwise:
//
//	collectors -> Request -> windows -> Read -> arbiter -> banks -> crossbar -> collectors
//	                         windows -(2)-> collectors
//	write-back -(forward + 1)-> Result -> windows -> Write -> arbiter
//	collectors -> Fill -> windows
//	schedulers -> Notices -> windows
//
// # Operation
//
// Each warp has a few entries. An instruction enters the window of its warp when it is issued. It leaves when the
// warp has issued as many later instructions as the window is long. Each read and each write of a register by an
// instruction holds the register's entry until the instruction leaves. So a register used again and again stays.
//
//   - A source with an entry when the instruction issues is taken from the entry. The entry then
//     stays until the operand has been collected. If the value is still on its way from the
//     banks, the operand waits for it.
//   - Any other source is read from the banks, and the value is kept in the entry.
//   - A result goes to the entry of its register, and to the banks: at once (through), when the
//     entry leaves (back), or as the compiler decides (hints). If its instruction has already
//     left the window, as for most loads, a result goes to the banks alone.
//
// With hints the compiler knows for each result of an instruction whether the register is read within the window,
// and whether any lane needs it after that. A value not read within the window goes to the banks alone, a value
// also needed later to both places, a value dead within the window to the entry alone. The compiler looks at the
// instruction's basic block. If an entry leaves while its value is still needed, for instance because of diverged
// lanes, it is written to the banks: a wrong hint costs accesses, and never a value.
//
// # Order
//
// The block accepts values from the banks, then notices, then results, then reads. A value waiting to be written to
// the banks holds up everything behind it in the block; it waits only for writes, and writes wait for no read.
// Lookup and read are one step: a value is in an entry, or it has been sent to the arbiter no later than the read,
// and the arbiter lets no read pass a write of its register.
//
// # Limits
//
// In the paper the entries are in the collectors themselves, one collector per warp. Here the collectors are the
// conventional file's, and operands come to them from the windows two cycles after their request. A read that goes
// to the banks takes an additional cycle for the lookup.
package bow
