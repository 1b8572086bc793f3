// Package wire is the simulation kernel: clock domains, ticking components,
// typed ports joined by links, and signals.
//
// Time is an integer cycle of a clock domain. A message put at cycle t is
// visible to the receiver from cycle t+latency on (latency >= 1); room that a
// receiver frees at t is visible to the sender from t+1 on. Nothing that a
// component does in a cycle can be seen by another one in the same cycle, so
// the order in which components tick within a cycle cannot matter and no
// commit phase is needed.
//
// A component sleeps unless it asks to be ticked again: by returning true from
// Tick, by WakeAt, by a message that becomes visible on one of its input
// ports, by room that appears behind an output port on which CanPut was false,
// or by a watched signal that changes. Cycles in which every component sleeps
// are skipped.
//
// Every input port has one sender. Fan-in is hardware, so it is a component
// of its own: an arbiter or a crossbar.
package wire
