// Package claims confronts what papers claim with what the studies found.
//
// A claim is data: where it stands in the paper, what the paper says as printed,
// the numbers that this amounts to, and an expression over the records of a
// study (package query) that measures the same here. Judge gives the verdict by
// rules that are the same for all claims and are fixed before anything is run;
// docs/claims.md states them. No claim contains a result of ours, and no verdict
// is written down anywhere.
//
// The null score tells what verdicts are worth: it counts the claims that would
// pass if every design were replaced by the baseline that it is compared with.
package claims
