// Package cli is the command line of Kumiko: it reads flags, calls the packages
// that do the work, and prints what they return.
//
// Standard output carries results, standard error everything else: errors, one
// clear line each, and progress. The exit status is 0 when all was done and all
// checks held, 1 when a check failed, 2 for bad input, 3 when the simulation
// stopped by itself, and 130 when the user interrupted it.
package cli
