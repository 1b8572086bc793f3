package finereg

import (
	"fmt"

	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
)

// PCRF is the part of the register file for the live registers of CTAs without scheduler slots: entries of a warp
// register each, in chains, with tags. It has one port: one entry is read or written per cycle. Accesses at In go
// before the next step of a walk.
type PCRF struct {
	wire.Comp
	In  wire.InPort[Access]
	Out wire.OutPort[Taken]

	tags  []Tag             `row:"PCRF: tags"`
	data  []version.Content // nil unless checking
	chain wire.Cycle        // cycles from one entry of a chain to the next
	at    uint16            // next entry of the walk
	left  int               // entries still to be read by the walk
	soon  wire.Cycle        // cycle of its next step
	next  wire.Cycle        // cycle of the next step of the search

	seeks  bool // a search for the register of sought is at sought.Entry
	sought Access

	reads, writes, patches, walked uint64
}

// Tag is the part of an entry beside the register.
type Tag struct {
	Valid bool
	End   bool   // of its chain
	Next  uint16 // entry of its chain
	Warp  uint16 // of the CTA: its warps are counted from 0
	Reg   uint8
}

// AccessKind is the kind of an access to an entry.
type AccessKind uint8

// Kinds of accesses.
const (
	Put   AccessKind = iota // a register is written with its tag
	Patch                   // lanes of a register are written
	Walk                    // entries of a chain are read and freed, one after the other
	Find                    // lanes of a register are written, after a search along its chain
)

// Access is one access to the PCRF, or a walk along a chain.
type Access struct {
	Content version.Content // of Put, Patch and Find
	Tag     Tag             // of Put; of Find, its Warp and Reg
	Entry   uint16
	Kind    AccessKind
	Count   int // of Walk: entries
}

// Taken is an entry read by a walk. It is free now.
type Taken struct {
	Content version.Content
	Tag     Tag
	Entry   uint16
}

// pcrfSpec is the shape of a PCRF. chain is the cycles per entry of a walk. With walks, the registers of late
// results are found by a search along chains. With check, contents are kept, with their versions.
type pcrfSpec struct {
	entries, chain int
	walks, check   bool
}

func newPCRF(name string, d *wire.Domain, s pcrfSpec, reg *stats.Registry) *PCRF {
	p := &PCRF{tags: make([]Tag, s.entries), chain: wire.Cycle(s.chain)}
	if s.check {
		p.data = make([]version.Content, s.entries)
	}
	p.Init(name, d, p)
	p.In.Init(&p.Comp, "In", 4)
	p.Out.Init(&p.Comp, "Out")
	reg.Count("regfile.finereg.pcrf_reads", stats.Accesses, "entries of the PCRF read, tags and data", name, &p.reads)
	reg.Count("regfile.finereg.pcrf_writes", stats.Accesses, "entries of the PCRF written with a register and its tag",
		name, &p.writes)
	reg.Count("regfile.finereg.pcrf_patches", stats.Accesses, "entries of the PCRF in which a late result wrote "+
		"lanes",
		name, &p.patches)
	if s.walks {
		reg.Count("regfile.finereg.pcrf_walked", stats.Accesses,
			"entries of the PCRF of which a walk that looked for a register read the tag", name, &p.walked)
	}
	return p
}

// Tick does one access.
func (p *PCRF) Tick(now wire.Cycle) bool {
	busy := p.seeks
	if p.seeks {
		p.seek(now)
	}
	for a := p.In.Head(); a != nil && !busy; a = p.In.Head() {
		if a.Kind == Find {
			p.sought, p.seeks, p.next, busy = *a, true, now, true
			p.seek(now)
		} else if a.Kind == Walk {
			if p.left > 0 {
				break
			}
			p.at, p.left, p.soon = a.Entry, a.Count, now
		} else {
			p.write(a)
			busy = true
		}
		p.In.Pop()
	}
	if !busy && p.left > 0 && now >= p.soon && p.Out.CanPut() {
		p.take(now)
	}
	return p.seeks || p.left > 0 || p.In.Head() != nil
}

// seek inspects the next entry in the search for a register along a chain. The port serves no other access until
// the register is found, so the chain stays as it is.
func (p *PCRF) seek(now wire.Cycle) {
	if now < p.next {
		return
	}
	a := &p.sought
	t := &p.tags[a.Entry]
	p.walked++
	p.next = now + p.chain
	switch {
	case t.Valid && t.Warp == a.Tag.Warp && t.Reg == a.Tag.Reg:
		a.Kind, p.seeks = Patch, false
		p.write(a)
	case !t.Valid:
		panic(fmt.Sprintf("finereg: R%d of warp %d is sought in a chain that goes on at a free entry", a.Tag.Reg,
			a.Tag.Warp))
	case t.End: // the register is not in the chain: it is dead
		p.seeks = false
	default:
		a.Entry = t.Next
	}
}

func (p *PCRF) write(a *Access) {
	t := &p.tags[a.Entry]
	if t.Valid != (a.Kind == Patch) {
		panic(fmt.Sprintf("finereg: an access to entry %d, of which valid is %v", a.Entry, t.Valid))
	}
	if a.Kind == Put {
		*t = a.Tag
		t.Valid = true
		p.writes++
	} else {
		p.patches++
	}
	switch {
	case p.data == nil:
	case a.Kind == Put:
		p.data[a.Entry] = a.Content
	default:
		p.data[a.Entry] = p.data[a.Entry].Overlay(a.Content)
	}
}

// take reads and frees the next entry of the walk.
func (p *PCRF) take(now wire.Cycle) {
	t := &p.tags[p.at]
	if !t.Valid {
		panic(fmt.Sprintf("finereg: a chain goes on at entry %d, which is free", p.at))
	}
	m := Taken{Tag: *t, Entry: p.at}
	if p.data != nil {
		m.Content = p.data[p.at]
	}
	p.Out.Put(m)
	t.Valid = false
	p.at, p.soon = t.Next, now+p.chain
	p.left--
	p.reads++
}

// Waiting reports the progress of a walk.
func (p *PCRF) Waiting() string {
	switch {
	case p.seeks:
		return fmt.Sprintf("R%d of warp %d is sought in its chain", p.sought.Tag.Reg, p.sought.Tag.Warp)
	case p.left == 0:
		return ""
	}
	return fmt.Sprintf("%d entries of a chain are still to be read", p.left)
}
