// Program sampling compares sampled runs of the built-in programs with whole ones.
//
//	go run ./tools/sampling [-size study] [-seeds 20] [-limit 60] [-gpu gtx980] [-set sm.count=1] [-error 2%]
//		[-windows] [NAME ...]
//
// It prints, for each program of which some launch is long enough to be sampled: the cycles of the
// whole run; the median error of the sampled ones; in how many of them the whole run's cycles lie in the
// stated interval of 95 %; half of that interval, over the cycles; the share of warp instructions that was
// simulated; and how many times less processor time they took. A second table says what of the program that time
// went to: execution, which is the same in a whole run, the caches that skipped CTAs pass, and simulation.
// Programs whose whole run takes longer than the limit, in seconds, are named. docs/sampling.md has its tables.
package main
