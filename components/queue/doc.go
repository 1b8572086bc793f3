// Package queue is a first-in first-out buffer between two links: what comes in
// goes out in order, up to Width messages per cycle, while the far side has room.
//
// Ports of the block: In, Out. A message that is visible at In at t and does not
// wait is put on Out at t.
package queue
