// Package report makes the page of a study: its figures with the paper's numbers drawn over ours, the
// distribution of the issue slots, tables, the storage cost of each design, the verdicts on the paper's claims,
// the configuration, the provenance of everything, and the known deviations from the paper.
//
// The page is one self-contained file (package internal/page). Its
// figures are Vega-Lite specifications; SVG draws the same ones without a
// browser. Results not yet run are named in their places; nothing is shown
// instead.
package report
