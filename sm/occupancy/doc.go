// Package occupancy works out how many CTAs of a kernel one streaming
// multiprocessor can hold: the minimum over registers, shared memory, threads,
// warps and CTA slots, under the allocation rules of GPGPU-Sim or of the
// vendor's occupancy calculator.
//
// It is arithmetic alone: it knows nothing of time, and a register file that holds
// more CTAs, or fewer, says so itself (regfile.Kind, Admit).
package occupancy
