// Package energy has the functions of package gpus/energy for the language of package query, over access streams,
// over timed runs and over the tables alone. The package registers them: importing it is enough.
//
// Gebhart's accesses come from package streams or from the statistics of a timed run. Either the
// accesses without an active lane cost nothing (lane-gated), or every access of a warp register is of all eight
// groups of four lanes (full).
package energy
