package sm

import (
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/sm/message"
)

// windowLength is the instructions of a window (FineReg, section III.B, figure 5).
const windowLength = 1000

// scope is the owner of a window's instructions: a warp, a CTA or the SM.
type scope uint8

const (
	ofWarp scope = iota
	ofCTA
	ofSM
	numScopes
)

var scopeInfo = [numScopes]struct{ name, whose string }{
	{"warp", "a warp"},
	{"cta", "a CTA, in the order of issue"},
	{"sm", "an SM, in the order of issue"},
}

// windowCount counts how many of the warps' allocated registers are named, as
// source or as destination, within 1000 instructions of a warp, a CTA or an SM. FineReg
// does not say which of the three it means.
type windowCount struct {
	scopes    [numScopes]windows
	ctas      [][]uint16 // by CTA slot: contexts of the warps; nil: there is none
	slotOf    []uint16   // by warp context: of its CTA
	footprint uint64     // registers of a thread
	held      uint64     // warp registers of the resident CTAs
}

// windows has the windows of one scope.
type windows struct {
	open  []window
	seen  []uint64 // by warp context and register: the window naming it last
	begun uint64   // windows

	count, touched, allocated uint64
	share                     stats.Histogram // percent, rounded up
}

// window is the window in which a warp, a CTA or the SM issues. Behind a full one it is empty, until the next
// instruction begins another.
type window struct {
	id           uint64 // 0: the next instruction begins one
	instructions int
	touched      uint64
	allocated    uint64 // warp registers, summed over the instructions
	whole        bool   // one has ended before, of the same warp or CTA
	warps        int    // of a CTA: warps after their last instruction
}

// Admitted implements Listener.
func (c *windowCount) Admitted(_ wire.Cycle, slot uint16, contexts []uint16) {
	c.ctas[slot] = contexts
	for _, w := range contexts {
		c.slotOf[w] = slot
	}
	c.held += c.footprint * uint64(len(contexts))
}

// Retired implements Listener.
func (c *windowCount) Retired(_ wire.Cycle, slot uint16) {
	c.held -= c.footprint * uint64(len(c.ctas[slot]))
	c.ctas[slot] = nil
}

// Issued implements sched.IssueListener.
func (c *windowCount) Issued(_ wire.Cycle, f *message.Fetched, _ uint32) {
	slot := c.slotOf[f.Warp]
	warps := len(c.ctas[slot])
	c.scopes[ofWarp].issued(int(f.Warp), f, c.footprint)
	c.scopes[ofCTA].issued(int(slot), f, c.footprint*uint64(warps))
	c.scopes[ofSM].issued(0, f, c.held)
	if f.Last {
		c.scopes[ofWarp].leave(int(f.Warp), 1)
		c.scopes[ofCTA].leave(int(slot), warps)
	}
}

// issued counts an instruction. allocated is the number of registers allocated in its window's scope.
func (s *windows) issued(of int, f *message.Fetched, allocated uint64) {
	w := &s.open[of]
	if w.id == 0 {
		s.begun++
		w.id = s.begun
	}
	t, row := &f.Inst.T, int(f.Warp)*mostRegisters
	for _, r := range t.Src[:t.NSrc] {
		s.touch(w, row+int(r))
	}
	for _, r := range t.Dst[:t.NDst] {
		s.touch(w, row+int(r))
	}
	w.instructions++
	w.allocated += allocated
	if w.instructions == windowLength {
		s.end(w)
		w.whole = true
	}
}

func (s *windows) touch(w *window, i int) {
	if s.seen[i] != w.id {
		s.seen[i] = w.id
		w.touched++
	}
}

// end counts a window. Its allocated registers are a mean over its instructions, which can be less than the registers
// named: a warp may name some and end before the window does. So the share is limited to 100 %.
func (s *windows) end(w *window) {
	allocated := (w.allocated + uint64(w.instructions)/2) / uint64(w.instructions)
	s.count++
	s.touched += w.touched
	s.allocated += allocated
	if allocated > 0 {
		s.share.Add(min((100*w.touched+allocated-1)/allocated, 100))
	}
	w.id, w.instructions, w.touched, w.allocated = 0, 0, 0, 0
}

// leave records the end of one of so many warps. The last warp ends the window. A shorter window
// counts only if there has been none of full length.
func (s *windows) leave(of, warps int) {
	w := &s.open[of]
	w.warps++
	if w.warps < warps {
		return
	}
	if !w.whole {
		s.end(w)
	}
	*w = window{}
}

// CountWindows enables the counting of the registers named in windows of instructions from
// now on.
func (m *SM) CountWindows(reg *stats.Registry) {
	c := newWindowCount(m.spec.WarpContexts(), m.spec.CTAContexts())
	for i := range c.scopes {
		s, name, whose := &c.scopes[i], "sm.windows."+scopeInfo[i].name, scopeInfo[i].whose
		reg.Count(name+".windows", stats.Events, "windows of 1000 instructions of "+whose+
			"; a warp or CTA with fewer instructions has one window", m.Residency.Name(), &s.count)
		reg.Count(name+".touched", stats.Registers,
			"warp registers that the instructions of a window name, summed over the windows", m.Residency.Name(),
			&s.touched)
		reg.Count(name+".allocated", stats.Registers,
			"warp registers allocated, mean over the instructions of a window, summed over the windows",
			m.Residency.Name(), &s.allocated)
		reg.Histogram(name+".share", "percent",
			"warp registers that the instructions of a window name, in percent of the allocated ones, rounded up",
			&s.share)
	}
	m.windows = c
	m.observers.Count(c)
	m.Residency.AddListener(c)
}

func newWindowCount(contexts, ctas int) *windowCount {
	c := &windowCount{ctas: make([][]uint16, ctas), slotOf: make([]uint16, contexts)}
	for i, n := range [numScopes]int{ofWarp: contexts, ofCTA: ctas, ofSM: 1} {
		c.scopes[i].open = make([]window, n)
		c.scopes[i].seen = make([]uint64, contexts*mostRegisters)
	}
	return c
}
