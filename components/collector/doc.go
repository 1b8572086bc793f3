// Package collector implements a set of operand collectors, which serves one
// sub-core, or the whole SM where the register file is not divided.
//
// A collector is allocated to an operation, requests the operation's source
// registers from the banks' arbiter, holds them as they arrive, and presents the
// operation to its execution unit when it has all of them. The collectors of a set are one
// component, because allocation and dispatch choose among them within a cycle.
// Their lines to the arbiter and from the crossbar are one port each way, which
// has the bandwidth of all of them; a message names its collector.
//
// Ports of the block:
//
//	Issue[s]    op.Op: operations of each scheduler of the sub-core
//	Request     bank.Request: reads of collector To, to the arbiter
//	Operand     bank.Value: values for collector To, from the crossbar
//	Lines[i]    bank.Value: the same, where a network ends at several places
//	Ready[u]    op.Op: operations with all their operands, to execution unit u
//	Read[s]     op.Read: notices that an operation has all its operands
//	Result      bypass.Result: with a bypass, results on their way to the banks
//	Early[s]    op.Done: with a bypass, notices that readers of a result on its
//	            way may be issued
//	Taken[s]    op.Taken: with registers, notices that an operation has a collector
//	Captured    bank.Capture: with words and a bypass, operands that were captured, to
//	            a block before the banks
//	Fill        bank.Value: with fills, values from the banks, to that block
//
// In a cycle the set takes values in, then dispatches, then allocates, then
// sends requests. An operation visible at t sends its first requests at t. An
// operation whose last value is visible at t can be put on Ready at t, and its
// collector can be allocated again at t. An operation without register sources is ready in
// the cycle after its allocation. Among collectors that are ready for one unit,
// the next in turn goes first; a unit gets at most one operation per cycle.
//
// With stages between the collectors and the banks, an operation that reads
// nothing, or captures all that it reads, stays that many cycles longer: it
// passes the stages like the others.
//
// An operation that finds no free collector of a kind that serves its unit
// waits at the head of its Issue port and blocks the operations behind it; the
// scheduler sees an Issue port without room. With Registers it waits in a
// register of its unit instead, for which the scheduler has reserved room, and
// blocks only the operations of its unit; units take turns at free collectors.
//
// # Bypass
//
// With a bypass the set tracks operations of known latency from their dispatch
// until their result passes on the bus, and announces them to their scheduler
// Forward cycles before the value is due, at the earliest in the cycle of the
// dispatch. An operand that such a result holds in all lanes that execute is not
// requested but captured when the result passes, and its operation can be
// dispatched in that cycle. An operand that the result holds in some lanes only
// is requested when the result has passed: its write then reaches the arbiter no
// later than the request. An operation that writes a register with a result on
// its way keeps its collector until that result has passed, so that results for
// one register arrive in program order. Operations that write predicates, or find
// the table of tracked results full, are announced by the write-back stage.
package collector
