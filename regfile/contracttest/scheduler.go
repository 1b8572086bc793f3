package contracttest

import (
	"kumiko/components/op"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/regfile"
)

// scheduler issues the programs of its warps, in order and under a scoreboard enforcing read-after-write,
// write-after-write and write-after-read order.
type scheduler struct {
	wire.Comp
	issue   wire.OutPort[op.Op]
	done    wire.InPort[op.Done]
	early   wire.InPort[op.Done]
	read    wire.InPort[op.Read]
	taken   wire.InPort[op.Taken]
	arrived []wire.InPort[op.Read] // from the units, in place of notices

	registers []int // free issue registers by unit; nil: the file has none

	index, count, width int
	notice              bool
	tag                 uint32
	turn                int
	warps               []warp
	check               *version.Checker
	values              *version.Values // nil unless the kind needs them
	log                 *log
	units               []regfile.Unit
	swapping            *swapping // nil: warps are not swapped
	planes
}

type warp struct {
	context  uint16
	programs [][]step
	at       int
	soonest  wire.Cycle
	pending  [256]bool
	readers  [256]int
	flight   int
	reading  int        // operations yet to read
	live     bool       // its first program runs
	exited   bool       // it has issued its last operation and read all operands
	active   bool       // it may be chosen
	leaves   bool       // it is to leave the active set
	back     wire.Cycle // it may enter it again from then on
	asked    uint8      // gates already sent a WarpHeld notice
	group    int32      // region of its last issued operation

	// Where warps are swapped:
	may   bool // its program may run
	wants bool // its program waits for the swapper's permission to run
	hold  bool // the swapper keeps it from issuing
	rests bool // it has reported that it issues nothing and has no operation left in flight but slow ones
	slow  int  // outstanding results of the units shared by all schedulers
}

// Tick takes notices and issues.
func (s *scheduler) Tick(now wire.Cycle) bool {
	for d := s.done.Take(); d != nil; d = s.done.Take() {
		s.finish(now, d, false)
	}
	for d := s.early.Take(); d != nil; d = s.early.Take() {
		s.finish(now, d, true)
	}
	for r := s.read.Head(); s.notice && r != nil; r = s.read.Head() {
		s.log.read(now, s.index, r)
		s.release(r)
		s.read.Pop()
	}
	for m := s.taken.Take(); m != nil; m = s.taken.Take() {
		s.registers[m.Unit]++
	}
	for i := range s.arrived {
		for r := s.arrived[i].Take(); r != nil; r = s.arrived[i].Take() {
			s.release(r)
		}
	}
	s.takeOpens()
	s.takeOrders()
	s.updateWarps(now)
	issued := 0
	for issued < s.width && s.issueOne(now) {
		issued++
	}
	return issued > 0
}

func (s *scheduler) finish(now wire.Cycle, d *op.Done, early bool) {
	s.log.done(now, s.index, d, early)
	w := s.warp(d.Warp)
	w.flight--
	s.finished(w, d.Tag)
	for _, r := range d.Inst.T.Dst[:d.Inst.T.NDst] {
		w.pending[r] = false
	}
}

func (s *scheduler) warp(context uint16) *warp { return &s.warps[int(context)/s.count] }

func (s *scheduler) release(r *op.Read) {
	w := s.warp(r.Warp)
	w.flight--
	w.reading--
	for _, x := range r.Inst.T.Src[:r.Inst.T.NSrc] {
		w.readers[x]--
	}
}

func (s *scheduler) issueOne(now wire.Cycle) bool {
	for n := 0; n < len(s.warps); n++ {
		s.turn = (s.turn + 1) % len(s.warps)
		w := &s.warps[s.turn]
		x := w.next(s, now)
		if x == nil || w.blocked(x) || s.registers != nil && s.registers[x.unit] == 0 || !s.entered(w, x) ||
			s.held(w, x) {
			continue
		}
		if !s.issue.CanPut() || !s.room(regfile.WarpIssued) {
			return false
		}
		s.send(w, x, now)
		return true
	}
	return false
}

// next returns the next operation of a warp, or nil if its time has not come.
func (w *warp) next(s *scheduler, now wire.Cycle) *step {
	if !w.active || w.leaves || w.hold || w.at == len(w.programs[0]) {
		return nil
	}
	x := &w.programs[0][w.at]
	if x.gap > 0 && w.soonest == 0 {
		w.soonest = now + wire.Cycle(x.gap)
	}
	if now < w.soonest {
		s.WakeAt(w.soonest)
		return nil
	}
	return x
}

func (w *warp) blocked(x *step) bool {
	t := &x.inst.T
	for _, r := range t.Src[:t.NSrc] {
		if w.pending[r] {
			return true
		}
	}
	for _, r := range t.Dst[:t.NDst] {
		if w.pending[r] || w.readers[r] > 0 {
			return true
		}
	}
	return false
}

func (s *scheduler) send(w *warp, x *step, now wire.Cycle) {
	w.at++
	w.soonest = 0
	o := op.Op{Inst: x.inst, Issued: now, Tag: s.tag, Exec: x.exec, Warp: w.context, Sched: uint8(s.index),
		Unit: x.unit}
	s.tag += uint32(s.count)
	t := &x.inst.T
	for _, r := range t.Src[:t.NSrc] {
		w.readers[r]++
	}
	if t.NSrc > 0 {
		w.flight++
		w.reading++
	}
	if hasResult(&o) {
		w.flight++
		s.slowly(w, o.Tag, &s.units[x.unit])
		for _, r := range t.Dst[:t.NDst] {
			w.pending[r] = true
		}
	}
	s.check.Issue(&o)
	valued(s.values, &o)
	s.log.issued(&o)
	s.issue.Put(o)
	if s.registers != nil {
		s.registers[o.Unit]--
	}
	s.issued(w, x, o.Tag)
}

func hasResult(o *op.Op) bool { return o.Inst.T.Result() }

// left reports whether the warps have anything left to issue or to wait for.
func (s *scheduler) left() int {
	n := 0
	for i := range s.warps {
		w := &s.warps[i]
		n += w.flight
		for _, p := range w.programs {
			n += len(p)
		}
		if len(w.programs) > 0 {
			n -= w.at
		}
	}
	return n
}
