// Package nvcc compiles CUDA applications with nvcc's command line, by an installed clang and without a CUDA toolkit.
// A file of CUDA C++ is compiled twice: its device part to PTX, as kumiko compile does, and its host part against the
// C++ library of this machine. The PTX is a constant of the host's object. Programs are linked with Kumiko's CUDA
// runtime (package cudart).
package nvcc
