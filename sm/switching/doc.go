// Package switching has the block of an SM that lets a CTA of which every warp waits
// for memory give up its scheduler slots to another one.
//
// A resident CTA has contexts: program counters, stacks, predicates, registers,
// scoreboards. An active one has slots of the schedulers besides. The switcher keeps
// the CTA status monitor (FineReg, MICRO 2018, section V.B: where context and registers
// of each CTA are), hears from the schedulers which warps wait, and orders one switch at
// a time:
//
//  1. The schedulers issue nothing more of the CTA that goes, and answer when only
//     memory operations of it are under way. What its instruction buffers held is
//     fetched again when it comes back.
//  2. Its contexts go through the SM's shared memory, a warp after the other; then its
//     slots are free.
//  3. The contexts of the CTA that comes are read from there, and residency gives it
//     slots. Or a new CTA starts, which has nothing to be read.
//
// A CTA goes when each of its unfinished warps waits for a long-latency result or at a
// barrier, one of them at least for a result, and when one can come in its place: a CTA
// without slots of which a warp could issue, or a new one. It does not go before it has
// issued once since it came.
//
// Virtual Thread (Yoon et al., ISCA 2016; FineReg, section VI) switches so: registers
// stay where they are.
package switching
