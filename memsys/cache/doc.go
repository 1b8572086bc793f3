// Package cache has the core of a cache: the tags, the miss status holding
// registers, and the rules by which they work together. The L1, the texture cache
// and the L2 are components that own a core; so can a register file be that keeps
// registers and lines in one array.
//
// A core is state and rules, with neither ports nor time: its owner looks
// accesses up when its own timing says so, sends what a rule asks it to send, and
// tells how many packets it has room for. A rule that asks for more than there is
// room for, or that lacks a place or a register, changes nothing and says why; the
// owner asks again in a later cycle.
//
// Look up: Find, Has and Use. Reserve and merge: Miss. Fill: Fill, and then Due and
// Answered for the accesses that waited. Write: Store allocates, Update and Evict do not. Drop
// gives a line up that somebody else will change. Lines that are dirty and give
// way are returned, to be written back by the owner.
//
// Masks of sectors are of 32 bytes, whatever the sectors of the tags. Where these
// are whole lines, whole lines are fetched and written back.
package cache
