package measure

import (
	"kumiko/gpus/chip"
	"kumiko/gpus/result"
	"kumiko/memsys/dram"
	"kumiko/memsys/l1"
	"kumiko/memsys/req"
)

// between counts how often launches of unlike streams get in each other's way in memory: lines of one that leave a
// first-level cache for another's while it has CTAs on the SM, and reads of one that find a row of another open in
// their DRAM bank.
//
// Each SM and the rest of the chip, which are simulated by different workers, count for themselves.
type between struct {
	beside *Beside
	chip   *chip.Chip
	lines  []lineOwners // data cache and texture cache of each SM
	rows   []rowOwners  // by channel
}

// nobody is the launch of a row opened for a write or for no warp, and of an empty CTA slot.
const nobody = -1

// pairs has counts by two launches: the one that pays, and the other one.
type pairs map[[2]int]uint64

// lineOwners has the launch that has fetched each line of a first-level cache.
type lineOwners struct {
	of    map[uint64]int
	count pairs
}

// rowOwners has the launch for which each bank of a DRAM channel has opened its row.
type rowOwners struct {
	of    map[int]int
	count pairs
}

// begin follows lines and rows from now on.
func (b *between) begin() {
	b.lines, b.rows = b.lines[:0], b.rows[:0]
	for i, side := range b.chip.Sides {
		for _, c := range []*l1.Cache{side.L1, side.Texture} {
			if c == nil {
				continue
			}
			b.lines = append(b.lines, lineOwners{map[uint64]int{}, pairs{}})
			o, s := b.lines[len(b.lines)-1], b.beside.sms[i]
			c.Tags.OnPlaced(func(addr, victim uint64, warp uint16) { o.place(s, addr, victim, s.launchOf[warp]) })
		}
	}
	for _, c := range b.chip.Memory.Channels {
		o := rowOwners{map[int]int{}, pairs{}}
		b.rows = append(b.rows, o)
		c.OnRow(func(e dram.RowEvent) { o.event(b.beside, &e) })
	}
}

// place makes launch me the owner of the line at addr. It counts a conflict if the replaced line, victim, belongs to
// another launch with a CTA on the SM.
func (o *lineOwners) place(s *besideSM, addr, victim uint64, me int) {
	if owner, ok := o.of[victim]; ok && victim != l1.NoLine {
		delete(o.of, victim)
		if owner != me && s.resident[owner] > 0 {
			o.count[[2]int{owner, me}]++
		}
	}
	o.of[addr] = me
}

// event makes the launch that opens a row its owner, or counts a conflict if a launch finds another one's row open.
func (o *rowOwners) event(b *Beside, e *dram.RowEvent) {
	me := nobody
	if e.Read && e.Cause < req.WriteBack {
		me = b.sms[e.SM].launchOf[e.Warp]
	}
	if e.Open {
		o.of[e.Bank] = me
		return
	}
	if owner, ok := o.of[e.Bank]; ok && owner != nobody && me != nobody && owner != me {
		o.count[[2]int{me, owner}]++
	}
}

// finish stops following, and adds the counts to the results of the launches.
func (b *between) finish(out []result.Beside) {
	for _, side := range b.chip.Sides {
		for _, c := range []*l1.Cache{side.L1, side.Texture} {
			if c != nil {
				c.Tags.OnPlaced(nil)
			}
		}
	}
	for _, c := range b.chip.Memory.Channels {
		c.OnRow(nil)
	}
	for i := range b.lines {
		b.lines[i].count.add(out, func(x *result.Between, n uint64) { x.LinesLost += n })
	}
	for i := range b.rows {
		b.rows[i].count.add(out, func(x *result.Between, n uint64) { x.RowConflicts += n })
	}
	for i := range out {
		for k := range out[i].Between {
			x := &out[i].Between[k]
			x.Name = out[x.Launch].Name
		}
		out[i].SortBetween()
	}
}

// add adds the counts to the results of the launches that pay. Launches of one stream are never side by side.
func (p pairs) add(out []result.Beside, add func(*result.Between, uint64)) {
	for x, n := range p {
		if out[x[0]].Stream != out[x[1]].Stream {
			add(out[x[0]].Against(x[1]), n)
		}
	}
}
