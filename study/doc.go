// Package study runs experiments: a study is a declared grid of points
// (benchmarks x variants of a machine), with what to plot of them and which
// claims of a paper they speak to.
//
// A study is a TOML file, built in (folder studies) or the user's own; a Spec is
// what is read from it. Its points are executed by a Pool, one Record each is
// kept in a Store, and Data is what figures, tables and claims see of the
// records. How these are worked out and drawn is not here: package query
// evaluates their expressions, claims gives verdicts, report makes the page,
// streams and energy have the measures that need no timing.
package study
