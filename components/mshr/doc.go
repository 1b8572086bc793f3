// Package mshr has the miss status holding registers of a cache: which lines
// have been asked for, which sectors of them are expected and have arrived, and
// which accesses wait for them.
//
// A File is a block to embed in a component, not a component: it has no ports
// and takes no time. It refuses with a reason when it has no entry for another
// line, or no room for another access to a line.
package mshr
