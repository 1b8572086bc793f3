// Program device compares measurements of an NVIDIA GPU with simulations of the same code: loops of machine
// instructions, memory accesses, and launches of the built-in programs.
//
//	go run ./lab/device -write DIR -sm 90
//	sh lab/device/measure.sh DIR 90
//	go run ./lab/device -report DIR -gpu h100
//	go run ./lab/device -report h100 -beside sm_90
//
// The first command writes kernels in PTX, and the built-in programs as scripts. The second command needs a machine
// with the GPU, Python, and the CUDA toolkit's ptxas, nvdisasm and Nsight Compute. It compiles the kernels, lists
// their SASS, runs everything, and writes loops.csv, memory.csv, launches.csv and outputs.csv. ptxas chooses the
// registers of a loop. The third command therefore reads the listing of each loop, cuts the loop out, and simulates
// exactly these instructions with their control words (package probe). Loops that depend on more than an SM are
// launched (folder launched). It prints a table of the rows and a summary. Nothing is fitted. The fourth one simulates
// launches by ptxas' machine code beside that of Kumiko's compiler, and with -svg FILE it draws both in colours.
//
// For compute capability 9.0 it also writes registers.csv: some 2,700 sequences of arithmetic whose registers and
// control words registers.py writes into the machine code of a loop (python3 lab/device/registers.py list). Each is
// simulated by 1, 8 and 16 warps.
//
// In loops.csv cycles is counted from the first clock read by a warp before the loop to the last clock read after
// it.
package main
