// Package acceptance runs programs as a user does: PTX that clang made of CUDA
// C++, a launch file, and the command line, and compares every output with what
// Go computes from the same input. It holds tests and nothing else.
//
// testdata has the sources, what testdata/build.sh compiled them to (NAME.ptx
// for sm_52 with short pointers, NAME_O0.ptx unoptimised with 64-bit pointers,
// NAME_sm70.ptx), and a launch file each. The files that a launch file names
// are written by the test.
package acceptance
