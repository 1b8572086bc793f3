// Package cli is the command line of Kumiko. It assembles the commands. Each is a package below this one: it parses
// flags, calls the packages doing the work, and prints their results.
//
// Standard output carries results. Standard error carries everything else: errors, one clear line each, and
// progress. The exit status is 0 if everything was done and all checks passed, 1 if a check failed, 2 for bad
// input, 3 if the simulation stopped by itself, 4 for a fault of Kumiko, and 130 if the user interrupted it.
package cli
