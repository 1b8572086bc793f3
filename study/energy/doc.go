// Package energy multiplies counts of accesses by energies per access from
// published tables: activity energy, with the assumptions stated in the tables
// (gebhart.toml, ltrf.toml, cerf.toml, gpu.toml). It is not a model of a circuit, and
// its numbers are not a chip's watts: they serve to compare designs with their
// baseline.
//
// Gebhart has the energies of the register file cache: arrays by entries and active warps, and wires by
// distance. Its accesses come from package streams or from the statistics of a timed run. An access is of 128
// bits, four lanes. An access without an active lane costs nothing (lane-gated), or every access of a warp
// register is of all eight groups of lanes (full).
//
// Activity charges the events of timed runs by a table: CERF's table III, or a whole
// GPU with a share of leakage proportional to time. Technologies are LTRF's table 2.
//
// The package registers functions for the language of package query: importing it
// is enough.
package energy
