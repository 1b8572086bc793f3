// Package crossbar implements the operand crossbar. It carries register values from banks to their requesters, such
// as operand collectors.
//
// Ports of the block:
//
//	In[i]   bank.Value: from bank i
//	Out[o]  bank.Value: to requester o; a value's To names the output. Bundled: to
//	        all requesters through Out[0], for receivers that are one component
//
// Per cycle, an input sends up to InputWidth values, an output receives up to OutputWidth, and all together
// transfer up to Width. A crossbar narrower than a register takes Cycles cycles per register; for this time the
// register occupies one lane of the input, of the output and of the width. A value becomes visible behind Out
// Latency + Cycles - 1 cycles after the start of its transfer.
//
// Values leave an input in order: a waiting value blocks all behind it.
//
// If outputs are bundled and a register takes one cycle, the first input to lose arbitration without sending goes
// first in the next cycle. So an input with a value sends within as many cycles as there are inputs; shares may
// differ within that bound. If an output may be taken, or full, for longer than others, inputs stand in line for
// it. Inputs requesting it all the time get equal shares.
//
// Conflict cycles: every value at the head of an input counts one per cycle while the output, the input or the
// width is taken.
//
// # Flattened butterfly
//
// Butterfly is another network for the same task. Its routers form rows and columns. Each has some of the banks and
// some of the requesters, and a channel to every other router of its row and of its column. A router is a component
// with ports
//
//	Bank[i]  bank.Value: from its banks
//	From[c]  bank.Value: over channel c from another router
//	To[c]    bank.Value: over channel c to the same router
//	Local    bank.Value: to the requesters of this router
//
// with the limits of a crossbar, and ChannelWidth for channels. Its inputs stand in line for channels and
// requesters. A value takes HopLatency cycles per hop, because a hop passes its first part on before the others
// arrive. From the last router on it takes Latency + Cycles - 1, as behind a crossbar. A value occupies a channel
// for Cycles cycles.
package crossbar
