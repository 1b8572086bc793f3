// Package wire is the simulation kernel: clock domains, ticking components,
// typed ports joined by links, signals, and the engine that runs them.
//
// # Time and visibility
//
// Time is an integer cycle of a clock domain. A message put at cycle t is
// visible to the receiver from cycle t+latency on (latency >= 1); room that a
// receiver frees at t is visible to the sender from t+1 on. Nothing that a
// component does in a cycle can be seen by another one in the same cycle, so
// the order in which components tick within a cycle cannot matter and no
// commit phase is needed.
//
// A component sleeps until it is woken: by returning true from Tick, by WakeAt,
// by a message that becomes visible on one of its input ports, by room behind an
// output port on which CanPut was false, or by a change of a watched signal. Cycles in which every component sleeps
// are skipped.
//
// Every input port has one sender. Fan-in is hardware, so it is a component
// of its own: an arbiter or a crossbar.
//
// # Domains, partitions, engine
//
// A Domain alone can be stepped, as tests of a block do. An Engine runs many
// domains, in partitions. A Partition, such as one SM, is simulated by one worker
// at a time. Partitions run alone for a window of time and then exchange the
// messages on the links between them. A link between two domains
// carries the time of each message and of each credit, and both take its
// latency; one between two partitions must be at least as long as the window.
// Therefore results depend neither on the number of workers, nor on windows,
// nor on which domains share a partition. A Signal crosses domains through a
// Tap, under the same rule.
//
// Clock edges are compared as integers (k1*f2 against k2*f1), never as
// floating-point times. Seconds are derived, cycle/frequency, rounded once.
//
// # Akita
//
// The kernel stands behind Akita's interfaces: Engine and Partition are
// sim.Engines, a block that embeds Comp is a sim.Component, InPort and OutPort
// are sim.Ports, a Link is a sim.Connection, and an input port has a
// sim.Buffer. Stock Akita components run in a partition beside ours, joined to
// them by a Socket. Loggers, tracers, analyzers and the monitor attach to
// ours. With no hook attached that costs nothing; with one, messages are put
// into envelopes (Env) for it, and the engine goes through all partitions in
// the order of time, with one worker, so that hooks see one clock.
//
// Blocks with array or function fields cannot be shown in detail by Akita's
// monitor, whose serializer knows neither; everything else of it works.
//
// # What it is not
//
// The kernel is not an event-driven simulator: events exist for stock components
// only. It does not elaborate or check hardware, and knows nothing of GPUs.
package wire
