// Package mshr implements the miss status holding registers of a cache. They record the requested lines, the
// sectors expected and arrived of each, and the accesses waiting for them.
//
// A File is state to embed in a component, not a component: it has no ports and takes no time. It refuses a miss,
// with a reason, when it has no entry for another line, or no space for another access to a line.
package mshr
