package stream

import "kumiko/kernel/ir"

// Run is a sequence of N instructions at consecutive PCs from PC on, fetched
// with the active lanes Mask.
type Run struct {
	PC   uint32
	N    uint32
	Mask uint32
}

// Warp is the stream of one warp.
type Warp struct {
	Runs []Run
	// Masks has the executed lanes of each guarded instruction (Timing.Guarded), in order.
	Masks []uint32
	// Accesses has one entry per executed memory instruction with a nonempty executed mask, in order.
	Accesses []Access
	// Insts counts the dynamic instructions; Lanes is the sum of their lanes with a true guard.
	Insts uint64
	Lanes uint64
	// Jumps are the skipped parts, in ascending order.
	Jumps []Jump
}

// Place is the beginning of a run, with the masks, accesses and values before it.
type Place struct{ Run, Mask, Access, Value int }

// Jump moves a cursor from the end of the run before From to To, a later run with the same beginning as From: the
// same PC and the same lanes.
type Jump struct {
	From int
	To   Place
}

// CTA is the work of one thread block.
type CTA struct {
	Index  int // linear index in the grid, x fastest
	Kernel *ir.Kernel
	Warps  []Warp
	// Values has, by warp, the classes of the written registers: for each instruction with an executing lane one
	// per destination register, in order. nil: they are not recorded.
	Values [][]Value
	// Memory identifies the CTA's memory to its source.
	Memory any
}

// Instructions returns the warp instructions of the CTA, and the sum of their lanes.
func (c *CTA) Instructions() (insts, lanes uint64) {
	for i := range c.Warps {
		insts += c.Warps[i].Insts
		lanes += c.Warps[i].Lanes
	}
	return insts, lanes
}

// Source returns the CTAs of a launch, in grid order.
//
// Contract: Next returns nil after the last CTA, and after an error, then reported by Err. It may block during the
// execution of the CTA; it is called by one goroutine.
type Source interface {
	Next() *CTA
	Err() error
}

// Releaser is a source that reuses the memory of CTAs.
//
// Contract: after its release a CTA, its warps and its accesses must not be used. Release may be called by any
// goroutine.
type Releaser interface{ Release(*CTA) }

// Dyn is one dynamic instruction.
type Dyn struct {
	Inst   *ir.Inst
	Access *Access // nil unless a memory instruction with an executed lane
	PC     uint32
	Active uint32 // lanes on this path
	Exec   uint32 // executing lanes: Active and guard
}

// Cursor walks the stream of a warp.
type Cursor struct {
	insts []ir.Inst
	r     Run // a copy of the current run, so that most steps touch no memory of the stream; N is 0 at the end
	i     uint32
	w     *Warp
	run   int
	mask  int
	acc   int
	jump  int // the next
}

// Start puts the cursor before the first instruction of a warp of k.
func (c *Cursor) Start(k *ir.Kernel, w *Warp) { c.StartAt(k, w, Place{}) }

// StartAt puts the cursor at the beginning of a run.
func (c *Cursor) StartAt(k *ir.Kernel, w *Warp, p Place) {
	*c = Cursor{insts: k.Insts, w: w, run: p.Run, mask: p.Mask, acc: p.Access}
	c.load()
}

// load copies the current run.
func (c *Cursor) load() {
	c.r = Run{}
	if c.run < len(c.w.Runs) {
		c.r = c.w.Runs[c.run]
	}
}

// Done reports whether the stream has no further instruction.
func (c *Cursor) Done() bool { return c.r.N == 0 }

// Next writes the next dynamic instruction into d and steps past it. It returns
// false at the end of the stream.
func (c *Cursor) Next(d *Dyn) bool {
	if c.Done() {
		return false
	}
	pc := c.r.PC + c.i
	in := &c.insts[pc]
	d.Inst, d.PC, d.Active, d.Exec, d.Access = in, pc, c.r.Mask, c.r.Mask, nil
	if in.T.Guarded {
		d.Exec = c.w.Masks[c.mask]
		c.mask++
	}
	if in.T.Space != ir.SpaceNone && d.Exec != 0 {
		d.Access = &c.w.Accesses[c.acc]
		c.acc++
	}
	c.i++
	if c.i == c.r.N {
		c.endRun()
	}
	return true
}

// endRun moves to the next run, skipping a jump.
func (c *Cursor) endRun() {
	c.i = 0
	c.run++
	if c.jump < len(c.w.Jumps) && c.w.Jumps[c.jump].From == c.run {
		c.leap()
	}
	c.load()
}

func (c *Cursor) leap() {
	to := c.w.Jumps[c.jump].To
	c.run, c.mask, c.acc = to.Run, to.Mask, to.Access
	c.jump++
}

// Warp returns the cursor's stream, nil before Start.
func (c *Cursor) Warp() *Warp { return c.w }

// Run returns the index of the run of the next instruction.
func (c *Cursor) Run() int { return c.run }

// PeekPC returns the PC of the next instruction, and false at the end of the stream.
func (c *Cursor) PeekPC() (uint32, bool) {
	if c.Done() {
		return 0, false
	}
	return c.r.PC + c.i, true
}
