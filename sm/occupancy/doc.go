// Package occupancy works out how many CTAs of a kernel one streaming
// multiprocessor can hold: the minimum over registers, shared memory, threads,
// warps and CTA slots, under the allocation rules of GPGPU-Sim or of the
// vendor's occupancy calculator, and with pairs of CTAs that share registers.
//
// It is arithmetic alone: it knows nothing of time, and what designs that park
// CTAs elsewhere add to it is theirs to say.
package occupancy
