// Package pool executes the points of a study that lack the needed record, several at once, each in a serial
// simulation. Points of one program share a functional execution. A run may be split into parts of its launches, which
// are executed as points of their own and joined.
package pool
