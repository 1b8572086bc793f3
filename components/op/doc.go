// Package op defines the messages between a streaming multiprocessor and its register file: issued operations,
// results to be written, and notices of readable results.
package op
