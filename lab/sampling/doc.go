// Program sampling compares sampled runs of the built-in programs with complete runs.
//
//	go run ./lab/sampling [-size study] [-seeds 20] [-limit 60] [-gpu gtx980] [-set sm.count=1] [-error 2%]
//		[-windows] [NAME ...]
//	go run ./lab/sampling -coverage 200 [-draw 1]
//
// The first prints a row for each program with a launch long enough to be sampled. The columns are: the cycles of the
// complete run; the median error of the sampled runs; the number of sampled runs with the complete run's cycles
// inside the stated 95 % interval; the relative half-width of this interval; the share of warp instructions
// simulated; and the ratio of processor times, complete to sampled. A second table divides up the processor time of
// a sampled run: execution, equal to a complete run's; warming of caches by skipped CTAs; and simulation. Programs
// with a complete run longer than the limit, in seconds, are only named. lab/docs/sampling.md has the tables.
//
// The second is an experiment on the intervals, over cases drawn by a seed: programs, designs and slices. It prints a
// row for each case, and fails if the intervals hold the complete run's cycles less often than stated.
package main
