package dram

import "kumiko/components/wire"

// never is a command cycle that no simulation reaches.
const never = ^uint64(0)

// clock relates the command clock to the clock of the domain: command cycle c
// belongs to core cycle ceil(c x core / command), so core cycle t has the
// command cycles above (t-1) x command / core up to t x command / core.
type clock struct{ base, command uint64 }

func newClock(coreMHz, commandMHz int) clock {
	a, b := uint64(coreMHz), uint64(commandMHz)
	for b != 0 {
		a, b = b, a%b
	}
	return clock{uint64(coreMHz) / a, uint64(commandMHz) / a}
}

// first command cycle that belongs to core cycle t or a later one.
func (k *clock) first(t wire.Cycle) uint64 {
	if t == 0 {
		return 0
	}
	return (t-1)*k.command/k.base + 1
}

// last command cycle that belongs to core cycle t or an earlier one.
func (k *clock) last(t wire.Cycle) uint64 { return t * k.command / k.base }

// core is the core cycle that command cycle c belongs to.
func (k *clock) core(c uint64) wire.Cycle { return (c*k.base + k.command - 1) / k.command }
