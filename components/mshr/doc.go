// Package mshr implements the miss status holding registers of a cache. They
// record the lines that have been requested, the sectors of them that are
// expected and that have arrived, and the accesses that wait for them.
//
// A File is a block to embed in a component, not a component: it has no ports
// and takes no time. It refuses with a reason when it has no entry for another
// line, or no room for another access to a line.
package mshr
