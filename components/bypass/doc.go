// Package bypass is the result bus of a register file: it brings results that
// are on their way to the banks past the operand collectors, where operands that
// wait for them are captured.
//
// Ports of the block:
//
//	In   Result: results, in the order in which the write-back stage took them
//	Out  Result: the same, up to Width per cycle
//
// What it is not: it keeps no table of what is on its way and compares nothing.
// That is the collectors' part (components/collector).
package bypass
