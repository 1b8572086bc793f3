// Package probe is kumiko probe: the cost of a sequence of instructions.
package probe
