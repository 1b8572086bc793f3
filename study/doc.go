// Package study runs experiments. A study is a declared grid of points
// (benchmarks x variants of a machine), with the figures to plot and the
// claims of a paper to compare with.
//
// A study is a TOML file, built in (folder studies) or the user's own; a Spec is its parsed form. Keys
// names the records of its points. Data gives figures, tables and claims access to the records.
//
// The rest is elsewhere: package record keeps one Record for each point, pool executes points, slurm has them executed
// by a cluster, query evaluates expressions, report makes the page, streams has the measures without timing.
package study
