// Package occupancy computes how many CTAs of a kernel one streaming
// multiprocessor can hold: the minimum over registers, shared memory, threads,
// warps and CTA slots, under the allocation rules of GPGPU-Sim or of the
// vendor's occupancy calculator.
//
// It is pure arithmetic and knows nothing of time. A register file that holds more
// CTAs, or fewer, decides so itself (regfile.Kind, Admit).
package occupancy
