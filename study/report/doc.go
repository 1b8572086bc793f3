// Package report makes the page of a study: its figures with the numbers that
// the paper states drawn over ours, where the issue slots went, tables, what each
// design costs in storage, the verdicts on the paper's claims, the configuration,
// where everything comes from, and the deviations from the paper that are known.
//
// The page is one file that needs nothing else (package internal/page); its
// figures are Vega-Lite specifications, the same that SVG draws without a
// browser. What has not been run is named where it would stand; nothing is shown
// in its place.
package report
