// Package study runs experiments. A study is a declared grid of points
// (benchmarks x variants of a machine), with the figures to plot and the
// claims of a paper to compare with.
//
// A study is a TOML file, built in (folder studies) or the user's own; a Spec is its parsed form. A Pool
// executes its points. A Store keeps one Record for each point. Data gives figures, tables and claims access to
// the records. Their evaluation and drawing is elsewhere: package query evaluates expressions, claims gives
// verdicts, report makes the page, streams and energy have the measures without timing.
package study
