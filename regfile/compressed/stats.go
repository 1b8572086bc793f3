package compressed

import (
	"kumiko/components/stats"
	"kumiko/components/wire"
)

// counters counts the events of the compressors of a sub-core; register describes each.
type counters struct {
	reads, forms              [numForms]uint64 `soft:"statistics"`
	partial, moves, readWaits uint64
	plainReads, plainWrites   uint64
}

func (c *counters) register(block string, reg *stats.Registry) {
	count := func(name, unit, doc string, p *uint64) { reg.Count("regfile.compressed."+name, unit, doc, block, p) }
	for f := range numForms {
		count("reads."+f.String(), stats.Accesses, "operands read from registers of the form "+f.String(), &c.reads[f])
		count("writes."+f.String(), stats.Registers, "results of all lanes that got the form "+f.String(), &c.forms[f])
	}
	count("writes.partial", stats.Registers, "results of some lanes, which are not compressed", &c.partial)
	count("moves", stats.Registers, "compressed registers read and written in full before a result of some lanes",
		&c.moves)
	count("read_waits", stats.Cycles, "request-cycles spent waiting for a result of the register in the compressors, "+
		"or for room", &c.readWaits)
	count("plain_group_reads", stats.Accesses, "16-byte banks with an active lane of an operand read: those read "+
		"without compression", &c.plainReads)
	count("plain_group_writes", stats.Accesses, "16-byte banks with an active lane of a result: those written without "+
		"compression", &c.plainWrites)
}

// usage counts for how long 16-byte banks hold registers. A bank could be switched off for the rest of the time.
type usage struct {
	users []uint32 `soft:"statistics"` // by bank and 16-byte bank: registers
	busy  uint64   // 16-byte banks with a register
	held  uint64   // 16-byte parts of registers
	since wire.Cycle

	bankCycles, partCycles uint64
}

func newUsage(banks int) usage { return usage{users: make([]uint32, banks*groups)} }

func (u *usage) register(block string, reg *stats.Registry) {
	reg.Count("regfile.compressed.bank_cycles", stats.Cycles, "16-byte banks with a register, summed over cycles; the "+
		"others could be switched off", block, &u.bankCycles)
	reg.Count("regfile.compressed.part_cycles", stats.Cycles, "16-byte parts that hold registers, summed over cycles",
		block, &u.partCycles)
}

// change records that a register of a bank occupies other 16-byte banks than before: the first ones in both cases.
func (u *usage) change(b, before, after int, now wire.Cycle) {
	if before == after {
		return
	}
	u.bankCycles += u.busy * (now - u.since)
	u.partCycles += u.held * (now - u.since)
	u.since = now
	list := u.users[b*groups:][:groups]
	for ; before < after; before++ {
		if list[before]++; list[before] == 1 {
			u.busy++
		}
		u.held++
	}
	for ; before > after; before-- {
		if list[before-1]--; list[before-1] == 0 {
			u.busy--
		}
		u.held--
	}
}
