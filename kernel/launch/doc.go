// Package launch reads launch files: TOML documents to run the kernels of PTX modules without writing Go. A file
// names buffers and their contents, launches with their arguments, the expected results, and the buffers to save.
//
// Load makes all checks possible before a run, and reports all mistakes at once, each with its place. The returned
// Program is a host program like any other: it runs on the functional emulator and on a timed GPU alike.
//
// tree.go reads TOML into values with places, and read.go walks them. modules.go, buffer.go, values.go, args.go,
// launches.go, steps.go, rounds.go, texture.go and check.go are the parts of the file, and program.go runs it.
package launch
