// Package collector implements a set of operand collectors. A set serves one sub-core, or the whole SM if the
// register file is not divided.
//
// A collector is allocated to an operation, requests the operation's source registers from the banks' arbiter,
// holds them as they arrive, and presents the complete operation to its execution unit. The collectors of a set are
// one component, because allocation and dispatch choose among them within a cycle. Their lines to the arbiter and
// from the crossbar are one port each way, with the bandwidth of all of them; a message names its collector.
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
//	Early[s]    op.Done: with a bypass, notices that readers of a result in flight
//	            may be issued
//	Taken[s]    op.Taken: with registers, notices that an operation has a collector
//	Captured    bank.Capture: with words and a bypass, captured operands, to a block
//	            before the banks
//	Fill        bank.Value: with fills, values from the banks, to the same block
//
// In a cycle the set first receives values, then dispatches, then allocates, then sends requests. An operation
// visible at t sends its first requests at t. An operation whose last value is visible at t can be put on Ready at
// t, and its collector can be allocated again at t. An operation without register sources is ready in the cycle
// after its allocation. Among the ready collectors of a unit, the next in turn goes first; a unit gets at most one
// operation per cycle.
//
// With stages between the collectors and the banks, an operation without reads, or with all operands captured,
// stays that many cycles longer: it passes the stages like the others.
//
// An operation without a free collector for its unit waits at the head of its Issue port and blocks the operations
// behind it; the scheduler sees a full Issue port. With Registers it waits in a register of its unit instead,
// reserved by the scheduler, and blocks only the operations of its unit; units take turns at free collectors.
//
// # Bypass
//
// With a bypass the set follows operations of known latency from their dispatch until their result passes on the
// bus. It announces each to its scheduler Forward cycles before the value is due, at the earliest in the cycle of
// the dispatch. If such a result holds an operand in all executing lanes, the operand is not requested but captured
// when the result passes; its operation can be dispatched in that cycle. If the result holds only some of the
// lanes, the operand is requested after the result has passed: the write then reaches the arbiter no later than the
// request. An operation writing a register with a result in flight keeps its collector until the result has passed,
// so that results for one register arrive in program order. The write-back stage announces operations without an
// entry in the table of followed results: writers of predicates, and operations issued while the table was full.
package collector
