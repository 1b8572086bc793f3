// Package claims compares the claims of papers with the results of the studies.
//
// A claim is data: its place in the paper, the paper's statement as printed, the numbers stated, and an
// expression over the records of a study (package query) measuring the same here. Judge gives the verdict by
// rules common to all claims and fixed before anything is run; lab/docs/claims.md states them. No claim contains a
// result of ours, and no verdict is written down anywhere.
//
// The null score shows the worth of the verdicts: it counts the claims that would
// pass if every design were replaced by its baseline.
package claims
