// Package op has the messages that travel between a streaming multiprocessor
// and its register file: operations that were issued, results to be written,
// and notices that a result is there to be read.
package op
