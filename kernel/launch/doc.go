// Package launch reads launch files: TOML documents that say how to run the
// kernels of PTX modules without writing Go. A file names buffers and how they
// are filled, launches with their arguments, what is expected afterwards and
// what is to be saved.
//
// Load checks everything that can be checked before anything runs, and reports
// all mistakes at once, each with its place. The Program that it returns is a
// host program like any other: it runs on the functional emulator and on a
// timed GPU alike.
//
// tree.go reads TOML into values that know their places, read.go walks them,
// modules.go, buffer.go, values.go, args.go, launches.go, steps.go, rounds.go,
// texture.go and check.go are the parts of the file, program.go runs it.
package launch
