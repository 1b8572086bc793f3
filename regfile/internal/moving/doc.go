// Package moving is the common part of designs moving the registers of contexts out of a conventional register file
// and back. It has ports beside the collectors of every sub-core, places for the contexts with registers in the
// file, and a path for results of the other contexts.
//
// # Order
//
// The set of away contexts is a signal, visible to the write-back stages a cycle later. From then on results for
// them are sent to Late and not to the banks. Earlier writes are in the banks, or before all reads at their
// arbiter, Settle cycles after the signal was set. When a context comes back, the signal is cleared once all its
// registers are written. Results sent to Late by write-back in that cycle arrive the cycle after.
package moving
