package turing

import (
	"kumiko/components/op"
	"kumiko/components/version"
	"kumiko/kernel/ir"
)

// cache is the register file cache of a sub-core: a register per operand slot and bank.
type cache struct {
	on   bool
	any  int                              // registers in all
	kept [ir.OperandSlots][maxBanks]entry `row:"Register file cache: registers and tags"`
}

// entry is a register kept by a bank for an operand slot, if it is full.
type entry struct {
	warp  uint16
	reg   ir.RegID
	full  bool
	lanes uint32 // that executed the read: the entry serves no others, as in package maxwell
	// With a checker: the operation of the value, and the value once known.
	tag   uint32
	known bool
	value version.Content
}

func (c *cache) init(s *Spec) { c.on = s.Reuse }

// has reports whether a register of the operation's warp is kept in a slot of a bank, read by all lanes of the
// operation.
func (c *cache) has(slot int, b uint8, o *op.Op) bool {
	e := &c.kept[slot][b]
	return e.full && e.warp == o.Warp && o.Exec&^e.lanes == 0
}

// holds reports whether the register kept in a slot of a bank is the given one.
func (c *cache) holds(slot int, b uint8, reg ir.RegID) bool { return c.kept[slot][b].reg == reg }

// keep updates the registers kept by the banks when an operation is allocated. Each access drops the register kept
// in its slot, and with the reuse flag keeps its own register instead.
func (x *SubCore) keep(r *reading, hits uint16) {
	c, o := &x.cache, &r.o
	flags := o.Inst.Control.Reuse
	if !c.on || c.any == 0 && flags == 0 {
		return
	}
	t := &o.Inst.T
	if x.Checker != nil && hits != 0 {
		c.give(x, r, hits)
	}
	for i := range int(t.NSrc) {
		b, _ := x.Index.Find(o.Warp, t.Src[i])
		c.drop(&c.kept[t.Slot(i)][b])
	}
	for i := range int(t.NSrc) {
		if slot := t.Slot(i); flags>>slot&1 != 0 {
			b, _ := x.Index.Find(o.Warp, t.Src[i])
			e := &c.kept[slot][b]
			c.drop(e)
			*e = entry{warp: o.Warp, reg: t.Src[i], full: true, lanes: o.Exec, tag: o.Tag}
			c.any++
		}
	}
}

// give gives an operation the cached values of its hits, or the tag of the operation still reading them.
func (c *cache) give(x *SubCore, r *reading, hits uint16) {
	t := &r.o.Inst.T
	for i := range int(t.NSrc) {
		if hits>>i&1 == 0 {
			continue
		}
		b, _ := x.Index.Find(r.o.Warp, t.Src[i])
		if e := &c.kept[t.Slot(i)][b]; e.known {
			r.values[i] = e.value
			r.known |= 1 << i
		} else {
			r.from[i] = e.tag
		}
	}
}

// learn passes on the values of an operation after its reads: to its cache entries, and to operations with hits on
// them.
func (c *cache) learn(x *SubCore, r *reading) {
	t := &r.o.Inst.T
	if r.o.Inst.Control.Reuse == 0 {
		return
	}
	for i := range int(t.NSrc) {
		b, _ := x.Index.Find(r.o.Warp, t.Src[i])
		if e := &c.kept[t.Slot(i)][b]; e.full && e.tag == r.o.Tag && e.reg == t.Src[i] {
			e.value, e.known = r.values[i], true
		}
		for k := range x.window {
			w := &x.window[k]
			for j := range int(w.o.Inst.T.NSrc) {
				if w.from[j] == r.o.Tag && w.o.Inst.T.Src[j] == t.Src[i] && w.known>>j&1 == 0 {
					w.values[j] = r.values[i]
					w.known |= 1 << j
				}
			}
		}
	}
}

// drop empties an entry.
func (c *cache) drop(e *entry) {
	if e.full {
		*e = entry{}
		c.any--
	}
}

// forget removes the registers of a warp context.
func (c *cache) forget(warp uint16) {
	if c.any == 0 {
		return
	}
	for slot := range c.kept {
		for b := range c.kept[slot] {
			if e := &c.kept[slot][b]; e.full && e.warp == warp {
				c.drop(e)
			}
		}
	}
}
