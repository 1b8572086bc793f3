// Package switching implements the CTA switcher of an SM: a CTA with all its
// warps waiting for memory gives up its scheduler slots to another CTA.
//
// A resident CTA has contexts: program counters, stacks, predicates, registers, scoreboards. An active CTA also
// has slots of the schedulers. The switcher keeps the CTA status monitor (FineReg, MICRO 2018, section V.B):
// the place of the context and of the registers of each CTA. The schedulers report waiting warps to the
// switcher, and the switcher orders switches. A switch has three stages:
//
//  1. The schedulers stop issuing instructions of the leaving CTA, and answer when only its
//     memory operations are in flight. The contents of its instruction buffers will be
//     fetched again when it returns. Meanwhile the contexts of the entering CTA are read
//     from the SM's shared memory, one warp after the other. If a new CTA starts instead,
//     nothing is read.
//  2. The contexts of the leaving CTA are on their way to shared memory, and its slots are
//     free. Nothing waits for the writes: shared memory serves contexts in the order of
//     sending, so a later read finds them.
//  3. When the contexts of the entering CTA have arrived, residency gives it slots.
//
// Several switches may be in flight at once. But the schedulers serve one switch at a time, from the order to
// park until their answers. The register file's mover serves one at a time, from the first question about room
// until the registers are moved. Residency serves one at a time. Slots and places in the register file are
// reserved for the entering CTAs.
//
// Switches cannot deadlock. A switch begins only if the schedulers and the mover, as far as it needs them, are
// free. A switch waits for the schedulers while it holds the mover only after its question about room has been
// answered. A switch holding the schedulers never waits for the mover. Residency answers in a few cycles. A
// read of a context needs room only in the schedulers' ports, and the schedulers empty these every cycle. A
// write needs no room, because the entering CTA keeps its context until it has slots.
//
// A CTA leaves when each of its unfinished warps waits for a long-latency result or at a barrier, at least one
// of them for a result, and when another CTA can take its place: a CTA without slots with a warp able to issue,
// or a new CTA. A CTA does not leave before it has issued once since it entered.
//
// Virtual Thread (Yoon et al., ISCA 2016; FineReg, section VI) switches in this way.
// Registers stay where they are.
package switching
