// Package crossbar implements the operand crossbar, which carries register
// values from banks to their requesters, such as operand collectors.
//
// Ports of the block:
//
//	In[i]   bank.Value: from bank i
//	Out[o]  bank.Value: to requester o; a value's To names the output. Bundled: to
//	        all requesters through Out[0], for receivers that are one component
//
// Per cycle, an input sends up to InputWidth values, an output receives up to
// OutputWidth, and all together transfer up to Width. A crossbar narrower than a
// register takes Cycles cycles for one, during which that lane of the input and
// of the output, and of the width, is taken. A value becomes visible behind Out
// Latency + Cycles - 1 cycles after its transfer has started.
//
// Values leave an input in order: one that must wait blocks those behind it.
//
// Where outputs are bundled and a register takes one cycle, the first input that
// sent nothing because it lost goes first in the next cycle. So an input that has a
// value sends one within as many cycles as there are inputs; shares may differ
// within that bound. Where an output may be taken, or full, for longer than others,
// inputs wait in line for it, and inputs that request it all the time get equal
// shares.
//
// Conflict cycles: each cycle that a value at the head of an input waits because
// the output, the input or the width is taken counts one.
//
// # Flattened butterfly
//
// Butterfly is another network for the same task. Its routers form rows and
// columns. Each has some of the banks and some of the requesters, and a channel to
// every other router of its row and of its column. A router is a component with ports
//
//	Bank[i]  bank.Value: from its banks
//	From[c]  bank.Value: over channel c from another router
//	To[c]    bank.Value: over channel c to that router
//	Local    bank.Value: to the requesters that are joined to it
//
// whose limits are those of a crossbar, for channels ChannelWidth. Its inputs
// wait in line for channels and requesters. A value takes
// HopLatency cycles per hop, as a hop passes its first part on while the others
// come, and as behind a crossbar Latency + Cycles - 1 from the last router on. A
// channel is taken for Cycles cycles.
package crossbar
