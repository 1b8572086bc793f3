// Package moving is the common part of the designs that move the registers of contexts out of a
// conventional register file and back: ports beside the collectors of every sub-core, places for
// the contexts whose registers are in the file, and a path for results whose registers are not.
//
// # Order
//
// The contexts that are away are a signal that the write-back stages see a cycle later. From then
// on results for them come to Late and not to the banks. Earlier writes are in the banks, or
// before all reads at their arbiter, Settle cycles after the signal was set. When a context comes
// back, the signal is cleared once all its registers are written. Results that write-back sends
// late in that cycle arrive the cycle after.
package moving
