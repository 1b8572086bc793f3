// Package monitor serves Akita's monitor page for a simulation that runs: its
// components with their fields, the levels of its buffers, pause, continue and
// progress.
//
// Akita's own server (akita/v3/monitoring) listens on all interfaces and cannot
// be told otherwise, can be started only once in a process, and cannot show
// components with array or function fields. So this is a server of our own, bound
// to exactly the address that it is given, that answers the requests of Akita's
// compiled web page (akita/v3/monitoring/web) in their format. What changes the
// simulation is asked by POST alone; the page, whose buttons ask by GET, is given
// a script that makes them POST. Nobody is authenticated: on an address that
// others reach, they can pause the simulation and read its state. Requests that
// other web sites make are refused and, on a loopback address, those that name
// another host.
//
// Every look at the machine happens between two windows of the simulation, so
// that no half of a cycle is seen.
//
// What it is not: it has no performance analyzer, so that the page's traffic
// views stay empty, and no profiler.
package monitor
