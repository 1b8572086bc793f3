// Package occupancy computes how many CTAs of a kernel one streaming
// multiprocessor can hold: the minimum over registers, shared memory, threads,
// warps and CTA slots, under the allocation rules of GPGPU-Sim or of the
// vendor's occupancy calculator.
//
// It is pure arithmetic, without time. A register file may hold more
// CTAs, or fewer, by its own decision (regfile.Kind, Admit).
package occupancy
