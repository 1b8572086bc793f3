// Package crossbar is the operand crossbar: it carries register values from
// banks to those who asked for them, such as operand collectors.
//
// Ports of the block:
//
//	In[i]   bank.Value: from bank i
//	Out[o]  bank.Value: to requester o; a value's To names the output. Bundled, to
//	        all of them through Out[0], for receivers that are one component
//
// Per cycle, an input sends up to InputWidth values, an output receives up to
// OutputWidth, and all together transfer up to Width. A crossbar narrower than a
// register takes Cycles cycles for one, during which that lane of the input and
// of the output, and of the width, is taken. A value becomes visible behind Out
// Latency + Cycles - 1 cycles after its transfer has started.
//
// Values leave an input in order: one that must wait holds up those behind it.
// The first input that sent nothing because it lost goes first in the next cycle.
//
// Conflict cycles: each cycle that a value at the head of an input waits because
// the output, the input or the width is taken counts one.
package crossbar
