// Package compile is kumiko compile and kumiko nvcc: CUDA C++ to PTX, and to programs.
package compile
