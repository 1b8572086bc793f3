package timeline

import (
	"fmt"
	"math/bits"

	"kumiko/sm"
	"kumiko/sm/message"
	"kumiko/sm/reason"
)

// warps draws the activity of each warp: a slice of one cycle for each issued instruction, and the reasons for
// waiting in between.
type warps struct {
	r          *recorder
	schedulers int
	tracks     []track // by warp context; created at the warp's first event
	state      []uint8
	since      []uint64
	issued     []uint64 // cycle after the last issue
	sets       [][reason.Num]uint64
	pending    []bool // by warp context: the warp has no scheduler slot

	reasons [reason.Num]reason.Info

	slots  []track // by scheduler
	reason []uint8
	lost   []uint64 // cycle since which reason holds
}

const nothing = 255

func (r *recorder) watchSchedulers(s *sm.SM) {
	n := s.Schedulers()
	r.warps = warps{r: r, schedulers: n, sets: make([][reason.Num]uint64, n), reason: make([]uint8, n),
		lost: make([]uint64, n)}
	w := &r.warps
	for _, x := range s.Reasons() {
		w.reasons[x.Reason] = x
	}
	for i := range n {
		w.slots = append(w.slots, r.w.track("Schedulers", fmt.Sprintf("Scheduler[%d]", i)))
		w.reason[i] = nothing
	}
	w.pending = make([]bool, message.MaxWarps)
	for range message.MaxWarps {
		w.tracks = append(w.tracks, track{})
		w.state = append(w.state, nothing)
		w.since = append(w.since, 0)
		w.issued = append(w.issued, 0)
	}
	if r.quiet() {
		s.Listen(w)
		return
	}
	s.Observe(w)
	r.atEnd = append(r.atEnd, w.finish)
}

func (w *warps) track(c int) track {
	if w.tracks[c] == (track{}) {
		w.tracks[c] = w.r.w.track("Warps", fmt.Sprintf("warp %d", c))
	}
	return w.tracks[c]
}

// Issued implements sm.Observer.
func (w *warps) Issued(now uint64, f *message.Fetched, tag uint32) {
	r, c := w.r, int(f.Warp)
	w.close(c, now)
	w.issued[c], w.since[c] = now+1, now+1
	if !r.draws(now) {
		return
	}
	counted, near := r.profile.choose(now)
	if !near && r.quiet() {
		return
	}
	o := &operation{inst: f.Inst, tag: tag, warp: f.Warp, exec: f.Exec, pc: f.PC, uncounted: !counted}
	if x, pc := r.beside.codeAt(f.PC); x != nil {
		o.kernel, o.stream, o.pc = x.Kernel, x.Stream, pc
		if int(pc) < len(x.Insts) { // else an operation that the register file has put into the code
			o.inst = &x.Insts[pc] // so that the profile has one row for it, however often the kernel is launched
		}
	}
	t, s := &f.Inst.T, c%w.schedulers
	r.konata.issued(o, now)
	r.profile.issued(o)
	r.issue(w.track(c), now, o, "issue")
	r.issue(w.slots[s], now, o, "slot")
	if tag == 0 {
		return
	}
	r.w.flow("s", "operation", uint64(tag), w.track(c), now)
	if t.NSrc > 0 || t.Result() || f.Access != nil {
		r.ops.add(o)
	}
}

func (r *recorder) issue(k track, now uint64, o *operation, category string) {
	t := &o.inst.T
	r.w.slice(k, category, o.inst.Op.String(), now, now+1).about(o).num("pc", uint64(o.pc)).num("line",
		uint64(o.inst.Line)).
		str("sources", registers(t.Src[:t.NSrc])).str("destinations", registers(t.Dst[:t.NDst])).hex("lanes",
		uint64(o.exec)).end()
}

// States implements sm.Observer.
func (w *warps) States(now uint64, sched int, states *[reason.Num]uint64, contexts []uint16, issued int,
	lost reason.Reason) {
	old := &w.sets[sched]
	if *old != *states {
		w.change(now, contexts, old, states)
		*old = *states
	}
	reason := uint8(lost)
	if issued > 0 {
		reason = nothing // drawn by Issued
	}
	if reason != w.reason[sched] || issued > 0 {
		w.endSlot(sched, now)
		w.reason[sched], w.lost[sched] = reason, now
	}
}

func (w *warps) change(now uint64, contexts []uint16, old, states *[reason.Num]uint64) {
	var before, after uint64
	for i := range states {
		before |= old[i]
		after |= states[i]
		for m := states[i] &^ old[i]; m != 0; m &= m - 1 {
			c := int(contexts[bits.TrailingZeros64(m)])
			w.pending[c] = false
			w.enter(c, now, uint8(i))
		}
	}
	for m := before &^ after; m != 0; m &= m - 1 {
		if c := int(contexts[bits.TrailingZeros64(m)]); !w.pending[c] {
			w.enter(c, now, nothing)
		}
	}
}

// Pending implements sm.Observer.
func (w *warps) Pending(now uint64, context uint16, lost bool) {
	w.pending[context] = lost
	state := uint8(nothing)
	if lost {
		state = uint8(reason.Pending)
	}
	w.enter(int(context), now, state)
}

func (w *warps) enter(c int, now uint64, state uint8) {
	w.close(c, now)
	w.state[c], w.since[c] = state, max(now, w.issued[c])
}

// close draws the reason for a warp's waiting until now.
func (w *warps) close(c int, now uint64) {
	r := w.r
	from, to := max(w.since[c], r.from), min(now, r.to)
	if w.state[c] == nothing || from >= to {
		return
	}
	name := w.reasons[w.state[c]].Name
	if reason.Reason(w.state[c]) == reason.Issued {
		name = "ready"
	}
	r.konata.waited(c, name, from, to)
	r.w.slice(w.track(c), "wait", name, from, to).num("warp", uint64(c)).end()
}

func (w *warps) endSlot(s int, now uint64) {
	from, to := max(w.lost[s], w.r.from), min(now, w.r.to)
	if w.reason[s] == nothing || from >= to {
		return
	}
	reason := &w.reasons[w.reason[s]]
	w.r.w.slice(w.slots[s], "lost slot", reason.Name, from, to).str("means", reason.Doc).end()
}

func (w *warps) finish() {
	for c := range w.state {
		w.close(c, w.r.to)
	}
	for s := range w.slots {
		w.endSlot(s, w.r.to)
	}
}
