// Package moving is what designs have in common that move the registers of contexts out of
// a conventional register file and back: ports beside the collectors of every sub-core,
// places for the contexts whose registers are there, and the way of results that come for
// registers which are not.
//
// # Order
//
// Which contexts are away is a signal that the write-back stages see a cycle later. From
// then on results for them come to Late and not to the banks. The writes that went before
// are in the banks, or before all reads at their arbiter, Settle cycles after the signal
// was set. When a context comes back, the signal is cleared when all its registers are
// written; what write-back sends late in that cycle is there the cycle after.
package moving
