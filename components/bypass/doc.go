// Package bypass implements the result bus of a register file. It carries results on their way to the banks past
// the operand collectors, so that waiting collectors can capture their operands from it.
//
// Ports of the block:
//
//	In   Result: results, in the order of their acceptance by the write-back stage
//	Out  Result: the same, up to Width per cycle
//
// The bus keeps no table of results in flight and compares nothing. The collectors do (components/collector).
package bypass
