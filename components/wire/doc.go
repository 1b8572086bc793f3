// Package wire is the simulation kernel: clock domains, ticking components, typed ports joined by links, signals,
// and the engine running them.
//
// # Time and visibility
//
// Time is an integer cycle of a clock domain. A message put at cycle t is visible to the receiver from cycle
// t+latency on (latency >= 1). Space freed by a receiver at t is visible to the sender from t+1 on. No action of a
// component can be seen by another one in the same cycle. So the order in which components tick within a cycle
// cannot matter, and no commit phase is needed.
//
// A component sleeps until it is woken. It is woken by returning true from Tick, by WakeAt, by a message becoming
// visible on one of its input ports, by space behind an output port after CanPut was false, or by a change of a
// watched signal. Cycles in which every component sleeps are skipped.
//
// Every input port has one sender. Fan-in is hardware, so it is a component of its own: an arbiter or a crossbar.
//
// # Domains, partitions, engine
//
// A Domain alone can be stepped, as tests of a block do. An Engine runs many domains, in partitions. A Partition,
// such as one SM, is simulated by one worker at a time. Partitions run alone for a window of time and then exchange
// the messages on the links between them. A link between two domains carries the time of each message and of each
// credit, and both take its latency. A link between two partitions must be at least as long as the window.
// Therefore results depend neither on the number of workers, nor on windows, nor on the assignment of domains to
// partitions, followers apart. A Signal crosses domains through a Tap, under the same rule.
//
// A partition can follow another (Partition.NewFollower), so that parts of one clock domain are simulated beside each
// other. Links between the two are at least as long as the window and, if the clocks are equal, behave as those
// within a domain: the follower runs each window after its leader, and the leader waits for it where a link could
// fill.
//
// Where every link between partitions joins one half of the machine to the other, such as SMs to the rest of the chip,
// a single worker runs the halves in turn, two windows at a time. Several workers do not wait for each other at the end
// of a window: a partition goes on as soon as those to which it has links have come as far as it.
//
// Clock edges are compared as integers (k1*f2 against k2*f1), never as floating-point times. Seconds are derived,
// cycle/frequency, rounded once.
//
// # Akita
//
// The kernel implements Akita's interfaces: Engine and Partition are sim.Engines, a block embedding Comp is a
// sim.Component, a Link is a sim.Connection, and an input port has a sim.Buffer. The sim.Ports are the Sink of an
// InPort and the Source of an OutPort. These two have no type parameter: every package in sight of a port compiles the
// methods of InPort and OutPort anew, for each type of message.
//
// Stock Akita components run in a partition beside Kumiko's blocks, joined to them by a Socket. Loggers, tracers,
// analyzers and the monitor attach to Kumiko's blocks. Without hooks this costs nothing. With a hook, messages are
// wrapped in envelopes (Env) for it, and the engine runs all partitions in the order of time, with one worker, so
// that hooks see one clock.
//
// Akita's monitor cannot show the details of blocks with array or function fields, because its serializer knows
// neither. Everything else of it works.
//
// # Limits
//
// The kernel is not an event-driven simulator: events exist for stock components only. It does not elaborate or
// check hardware, and knows nothing of GPUs.
package wire
