// Package monitor serves Akita's monitor page for a running simulation: its components with their fields, the
// levels of its buffers, pause, continue and progress.
//
// Akita's own server (akita/v3/monitoring) always listens on all interfaces, can be started only once in a process,
// and cannot show components with array or function fields. This package is therefore a separate server. It is
// bound to exactly the given address, and answers the requests of Akita's compiled web page
// (akita/v3/monitoring/web) in their format. Requests that change the simulation must be POST requests. The buttons
// of the page send GET requests, so the page is served with a script that turns them into POST. There is no
// authentication: on an address reachable by others, they can pause the simulation and read its state. Requests
// from other web sites are refused, and on a loopback address also requests naming another host.
//
// The machine is sampled only between two windows of the simulation, never in the middle of a cycle.
//
// Not supported: the performance analyzer, so that the page's traffic views stay empty, and the profiler.
package monitor
