// Package switching implements the block of an SM that switches CTAs: a CTA whose
// warps all wait for memory gives up its scheduler slots to another one.
//
// A resident CTA has contexts: program counters, stacks, predicates, registers,
// scoreboards. An active CTA also has slots of the schedulers. The switcher keeps the
// CTA status monitor (FineReg, MICRO 2018, section V.B: where the context and the
// registers of each CTA are), hears from the schedulers which warps wait, and orders
// switches. A switch has three stages:
//
//  1. The schedulers stop issuing instructions of the leaving CTA, and answer when only
//     memory operations of it are under way. The contents of its instruction buffers are
//     fetched again when it comes back. Meanwhile the contexts of the entering CTA are read
//     from the SM's shared memory, one warp after the other. If a new CTA starts instead,
//     nothing is read.
//  2. The contexts of the leaving CTA are on their way to shared memory, and its slots are
//     free. Nothing waits for the writes: shared memory serves contexts in the order in
//     which they are sent, so a later read finds them.
//  3. When the contexts of the entering CTA have come, residency gives it slots.
//
// Several switches may be under way at once. One at a time has the schedulers, from the order to
// park until their answers. One at a time has the register file's mover, from the first question
// about room until the registers are moved. One at a time waits for residency. Slots and places in
// the register file are kept for the CTAs that are to come.
//
// Nothing waits in a circle. A switch begins only if the schedulers and the mover, as far as it
// needs them, are free; only a switch whose question about room has been answered waits for the
// schedulers, while it holds the mover, and a switch that holds the schedulers never waits for the
// mover. Residency answers in a few cycles. A read of a context needs room in the schedulers' ports
// alone, which they empty every cycle, a write needs none, and the entering CTA keeps its context
// until it has slots.
//
// A CTA leaves when each of its unfinished warps waits for a long-latency result or at a
// barrier, at least one of them for a result, and when a CTA can take its place: a CTA
// without slots that has a warp which could issue, or a new one. A CTA does not leave
// before it has issued once since it entered.
//
// Virtual Thread (Yoon et al., ISCA 2016; FineReg, section VI) switches in this way.
// Registers stay where they are.
package switching
