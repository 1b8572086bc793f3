// Package op defines the messages between a streaming multiprocessor
// and its register file: operations that were issued, results to be written,
// and notices that a result can be read.
package op
