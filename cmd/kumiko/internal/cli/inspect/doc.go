// Package inspect is kumiko inspect: the kernels of a program as the GPU executes them, and the blocks of a GPU.
package inspect
