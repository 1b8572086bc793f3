// Package sampling runs programs without simulating all of them. Everything is executed. A Mode selects the
// simulated part:
//
//	whole     every launch
//	part      some consecutive launches
//	sampling  some launches of each cluster of similar launches, and of a long launch some waves of CTAs or some
//	          windows of time; the rest is estimated
//
// Skipped launches and CTAs warm the tags of the caches. docs/sampling.md has the method and its sources.
//
// A wave is as many CTAs as the GPU holds at once, but at least sixteen. A launch begins with two detailed waves
// and ends with one wave or somewhat more. In between, units are drawn at equal distances from a random start. The
// distance shrinks if the units so far show that the wanted error needs more units. For each unit some waves are
// skipped, and three waves are simulated. The first fills the machine, the second passes unmeasured, and the third
// is the unit. The unit begins when the first wave's CTAs have retired. The machine is never drained. Skipped CTAs,
// a whole number of waves, are simply not dispatched.
//
// A unit measures cycles, and every other count, per issued warp instruction. The number of instructions in skipped
// CTAs is known, because skipped CTAs are executed functionally. The interval has two parts: from the deviation of the
// units, and Systematic, a share of the cost of skipped CTAs.
package sampling
