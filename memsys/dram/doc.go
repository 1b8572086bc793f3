// Package dram implements a DRAM channel: the memory controller's queue and
// scheduler, and the banks behind it with their timing.
//
// A channel ticks in the domain of the command clock, so all of its times and
// statistics are command cycles. Per cycle it issues one command (activate,
// precharge, read, write) and accepts one request of each L2 slice. It sleeps until
// a command may issue, a request arrives or data leaves.
//
// Links to and from the slices, which have another clock, are lanes of the wire
// kernel: a request is seen in the first command cycle at or after Spec.Latency
// core cycles, a reply in the first core cycle at or after Spec.Back command
// cycles from the end of its data.
//
// Scheduling is first-ready, first-come-first-served (Rixner et al., ISCA 2000): the oldest column command able
// to issue; if there is none, the oldest activate or precharge. Rows stay open. A request waiting longer than
// the starvation limit goes before younger row hits of its bank. Writes wait until there are many of them, or
// one starves, or no read waits, and are then drained together, because turning the bus around costs time. With
// "fcfs" requests go to their banks in order of arrival: a request for a bank busy with an older one blocks all
// behind it (GPGPU-Sim's FIFO scheduler).
//
// With Spec.Refresh, every tREFI the channel stops issuing commands, precharges
// all banks as soon as the last open bank may be precharged, refreshes them all at
// once, and accepts activates again tRFC later. Refreshes are neither postponed nor pulled
// in; all channels refresh at the same times. It is off by default, as the
// reference simulator has none.
//
// There is no power-down and no limit on activates per window (tFAW), as in the
// reference simulator.
//
// Ports, one pair per L2 slice: In (req.MemRequest), Out (req.MemReply).
package dram
