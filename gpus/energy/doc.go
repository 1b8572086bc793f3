// Package energy multiplies counts of events by energies per event from tables: activity energy, with the assumptions
// stated in the tables (gebhart.toml, ltrf.toml, cerf.toml, gpu.toml). It is not a model of a circuit, and its
// numbers are not a chip's watts: they serve to compare designs with their baseline.
//
// A Table is rows of statistics, energies and sources, and may be a file of the user's. Gebhart has the energies of
// the register file cache: arrays by entries and active warps, and wires by distance. An access is of 128 bits, four
// lanes. CERF has the energies of register file, L1 and L2. Technologies are LTRF's, relative and without energies.
//
// Open finds a model by the name of its table or by its file. The Charges of a model are its rows on one machine, and
// Charges.Of is the energy of a run. Studies have functions over the same models (package study/energy).
package energy
