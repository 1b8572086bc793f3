package finereg

import (
	"math/bits"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/kernel/compiler/intervals"
	"kumiko/memsys/req"
)

// vectors is the live register cache: direct mapped, by program counter, over a table in memory.
type vectors struct {
	lines  []vectorLine    `row:"RMU: live register cache"`
	bytes  int             // of an entry of the table, with its program counter or without
	base   uint64          // of the table
	table  []intervals.Set `soft:"in memory"` // nil: every register is live
	all    intervals.Set   `soft:"constants"`
	asked  bool            // a vector has been requested
	wanted int32           // its program counter
	ask    wire.OutPort[req.Packet]
	answer wire.InPort[req.Packet]

	hits, misses, fetched uint64
}

type vectorLine struct {
	valid bool
	pc    int32
}

func (v *vectors) init(c *wire.Comp, lines, bytes int, reg *stats.Registry) {
	v.lines, v.bytes = make([]vectorLine, lines), bytes
	v.ask.Init(c, "Ask")
	v.answer.Init(c, "Answer", 2)
	reg.Count("regfile.finereg.vector_hits", stats.Accesses, "live vectors found in the live register cache", c.Name(),
		&v.hits)
	reg.Count("regfile.finereg.vector_misses", stats.Accesses, "live vectors that were read from memory", c.Name(),
		&v.misses)
	reg.Count("regfile.finereg.vector_bytes", stats.Bytes,
		"bytes of live vectors that were requested from memory; memory moves whole sectors", c.Name(), &v.fetched)
}

// begin prepares the table for a launch with the given number of registers per warp. The cache is empty.
func (v *vectors) begin(table []intervals.Set, each int) {
	v.table, v.all = table, intervals.Set{}
	for r := range each {
		v.all.Add(r)
	}
	clear(v.lines)
}

// liveAt returns the entry of the table.
func (v *vectors) liveAt(pc int32) intervals.Set {
	if v.table == nil {
		return v.all
	}
	return v.table[pc]
}

// line returns the line of a program counter: its bits folded to the number of lines.
func (v *vectors) line(pc int32) *vectorLine {
	n, h := uint32(len(v.lines)), uint32(0)
	for x := uint32(pc); x != 0; x /= n {
		h ^= x % n
	}
	return &v.lines[h%n]
}

// lookUp returns the live registers of a warp at a program counter. ok is false while they are read from memory.
func (v *vectors) lookUp(pc int32) (live intervals.Set, ok bool) {
	for p := v.answer.Head(); p != nil; p = v.answer.Head() {
		*v.line(v.wanted) = vectorLine{valid: true, pc: v.wanted}
		v.asked = false
		v.answer.Pop()
		if v.wanted == pc {
			return v.liveAt(pc), true
		}
	}
	if v.asked {
		return live, false
	}
	if l := v.line(pc); l.valid && l.pc == pc {
		v.hits++
		return v.liveAt(pc), true
	}
	if v.ask.CanPut() {
		v.fetch(pc)
	}
	return live, false
}

// fetch requests a vector from memory. Entries do not cross sectors.
func (v *vectors) fetch(pc int32) {
	stride := uint64(1) << bits.Len(uint(v.bytes-1))
	addr := v.base + uint64(pc)*stride
	line := addr &^ (req.LineBytes - 1)
	v.ask.Put(req.Packet{Addr: line, Kind: req.Read, Cause: req.LiveVector,
		Sectors: 1 << ((addr - line) / req.SectorBytes)})
	v.asked, v.wanted = true, pc
	v.misses++
	v.fetched += uint64(v.bytes)
}
