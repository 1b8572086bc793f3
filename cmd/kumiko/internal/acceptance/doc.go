// Package acceptance runs programs as a user does: PTX compiled by clang from CUDA C++, a launch file, and the
// command line. It compares every output with a computation in Go from the same input. The package contains only
// tests.
//
// testdata has the sources, the PTX compiled by testdata/build.sh (NAME.ptx for sm_52 with short pointers,
// NAME_O0.ptx unoptimised with 64-bit pointers, NAME_sm70.ptx), and a launch file for each. The tests write the
// data files named in the launch files.
package acceptance
