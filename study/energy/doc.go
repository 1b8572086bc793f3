// Package energy multiplies counts of accesses by energies per access from
// published tables: activity energy, with the assumptions stated in the tables
// (gebhart.toml, ltrf.toml, cerf.toml, gpu.toml). It is no model of a circuit, and
// its numbers are no chip's watts: they are for comparing designs with the baseline
// that they are divided by.
//
// Gebhart has the register file cache's: arrays by entries and active warps, wires
// by distance, apart. Its accesses come from package streams or from the statistics
// of a timed run. An access is of 128 bits, four lanes; one with no active lane costs
// nothing (lane-gated), or every access of a warp register is of all eight groups of
// lanes (full).
//
// Activity charges the events of timed runs by a table: CERF's table III, or a whole
// GPU with a share of leakage that goes with time. Technologies are LTRF's table 2.
//
// The package registers functions for the language of package query: importing it
// is enough.
package energy
