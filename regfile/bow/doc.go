// Package bow is a register file whose operand collectors keep the registers of each warp's last
// instructions (Asghari Esfeden et al., "BOW: Breathing Operand Windows to Exploit Bypassing in
// GPUs", MICRO 2020). An operand that an instruction in the window has read or written is not
// read from the banks again, and a result that is overwritten or dead before it leaves the window
// is not written to them.
//
// One sub-core; every link has a latency of 1 cycle unless said otherwise:
//
//	collectors -> Request -> windows -> Read -> arbiter -> banks -> crossbar -> collectors
//	                         windows -(2)-> collectors
//	write-back -(forward + 1)-> Result -> windows -> Write -> arbiter
//	collectors -> Fill -> windows
//	schedulers -> Notices -> windows
//
// # What it does
//
// Each warp has a few entries. An instruction enters the window of its warp when it is issued, and
// leaves it when so many later ones of the warp have been issued as the window is long. Each read
// and each write of a register by an instruction holds the register's entry until that instruction
// leaves. So a register that is used again and again stays.
//
//   - A source whose register has an entry when the instruction issues is taken from there. The
//     entry then stays until the operand has been collected. If the value is still on its way
//     from the banks, the operand waits for it.
//   - Another source is read from the banks, and the value is kept in the entry.
//   - A result goes to the entry of its register, and to the banks: at once (through), when the
//     entry leaves (back), or as the compiler says (hints). A result that comes when its
//     instruction has left the window, as of most loads, goes to the banks alone.
//
// With hints the compiler knows for each result of an instruction whether the register is read
// within the window, and whether no lane needs it after that. A value not read there goes to the
// banks alone, one that is also needed later to both places, one that is dead within the window to
// the entry alone. The compiler looks at the instruction's basic block. An entry that leaves while
// its value is still needed, for instance because lanes have parted, is written to the banks: hints
// cost accesses when they are wrong, and never a value.
//
// # Order
//
// The block takes values from the banks, then notices, then results, then reads. A value that must
// be written to the banks holds up everything behind it in the block; it waits for writes alone,
// which wait for no read. Look-up and read are one step: a value is in an entry, or it has been
// sent to the arbiter no later than the read, and the arbiter lets no read pass a write of its
// register.
//
// # What it is not
//
// In the paper the entries are those of the collectors themselves, one collector per warp. Here
// the collectors are the conventional file's, and operands come to them from the windows two cycles
// after their request. A read that goes to the banks takes a cycle for the look-up.
package bow
