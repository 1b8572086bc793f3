// Package bypass implements the result bus of a register file. It carries
// results that are on their way to the banks past the operand collectors, which
// capture the operands that wait for them.
//
// Ports of the block:
//
//	In   Result: results, in the order in which the write-back stage took them
//	Out  Result: the same, up to Width per cycle
//
// The bus keeps no table of results on their way and compares nothing. The
// collectors do (components/collector).
package bypass
