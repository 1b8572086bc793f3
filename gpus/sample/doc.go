// Package sample says which CTAs of a launch are simulated in detail when it is sampled, and what
// follows from them for the whole launch. docs/sampling.md has the method and its sources.
//
// A wave is as many CTAs as the GPU holds at once, and sixteen at the least. A launch begins with two waves in
// detail and ends with one, or somewhat more. In between, units are drawn from a random start, at equal distances as
// long as these do not tell that more are needed for the error that is wanted: waves are skipped, and three waves are
// simulated, of which the third is the unit. The first fills the machine, the second goes by. The unit begins when the
// first's CTAs have retired.
// The machine is never drained; skipped CTAs, a whole number of waves, are simply not handed out.
//
// What a unit measures is cycles, and every other count, for each warp instruction that issues in
// it. How many instructions the skipped CTAs have is known, because they are executed.
package sample
