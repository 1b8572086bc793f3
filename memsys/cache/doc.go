// Package cache implements the core of a cache: the tags, the miss status holding registers, and the rules of
// their cooperation. The blocks Tags of the L1, the texture cache and the L2 slices each own a core. A register
// file may own a core if registers and lines share an array.
//
// A core is state and rules, with neither ports nor time. Its owner looks accesses up according to its own
// timing, sends the packets requested by a rule, and reports the room for packets. A rule that lacks
// room, a place or a register changes nothing and returns the reason; the owner asks again in a later cycle.
//
// Look up: Find, Has and Use. Reserve and merge: Miss. Fill: Fill, and then Due and
// Answered for the waiting accesses. Write: Store allocates, Update and Evict
// do not. Drop gives up a line before another block changes it. Dirty victims
// are returned, and the owner writes them back.
//
// Masks of sectors are of 32 bytes, whatever the sectors of the tags. Where a
// sector of the tags is a whole line, whole lines are fetched and written back.
package cache
