package shrf

import (
	"kumiko/components/bank"
	"kumiko/kernel/compiler/intervals"
	"kumiko/regfile"
)

// takeNotices processes the notices of warp events. It returns false when a value to be written back must wait for
// the main file.
func (x *Upper) takeNotices() bool {
	for i := range x.Notices {
		in := &x.Notices[i]
		for m := in.Head(); m != nil; m = in.Head() {
			if !x.notice(m, &x.flushed[i]) {
				return false
			}
			x.flushed[i] = 0
			in.Pop()
		}
	}
	return true
}

func (x *Upper) notice(m *regfile.WarpNotice, done *int) bool {
	w := &x.warps[m.Warp]
	switch m.Event {
	case regfile.WarpStarted:
		w.strand = nil
	case regfile.WarpActivated:
		x.line = append(x.line, m.Warp)
		x.allocate()
	case regfile.WarpInserted:
		s := &x.plan.Strands[m.PC]
		if !x.flush(m.Warp, done, s.Live, bank.Eviction, &x.count.strayed) {
			return false
		}
		w.strand = s
		x.count.strands++
	case regfile.WarpSuspended:
		if !x.flush(m.Warp, done, x.liveAt(m.PC), bank.Flush, &x.count.flushed) {
			return false
		}
		x.leave(m.Warp)
	case regfile.WarpExited:
		x.clear(m.Warp)
		x.leave(m.Warp)
	}
	return true
}

// liveAt returns the registers needed by some lane of a warp before an instruction.
func (x *Upper) liveAt(pc uint32) intervals.Set {
	if int(pc) < len(x.plan.LiveAt) {
		return x.plan.LiveAt[pc]
	}
	return every
}

// every has all registers.
var every = intervals.Set{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}

// allocate assigns places to active warps, in the order of their activation.
func (x *Upper) allocate() {
	for len(x.line) > 0 && len(x.unused) > 0 {
		last := len(x.unused) - 1
		x.warps[x.line[0]].place = int32(x.unused[last])
		x.unused = x.unused[:last]
		copy(x.line, x.line[1:])
		x.line = x.line[:len(x.line)-1]
	}
}

// leave frees a warp's place, or ends its wait for one.
func (x *Upper) leave(context uint16) {
	w := &x.warps[context]
	if w.place >= 0 {
		x.unused = append(x.unused, uint16(w.place))
		w.place = -1
		x.allocate()
		return
	}
	for i, c := range x.line {
		if c == context {
			x.line = append(x.line[:i], x.line[i+1:]...)
			return
		}
	}
}

// flush empties the entries of a warp. Live values missing in the main file are written to it, flush_width per
// cycle. It returns false when there is more to do.
func (x *Upper) flush(context uint16, done *int, live intervals.Set, cause bank.Cause, count *uint64) bool {
	list := x.entriesOf(context)
	for n := x.spec.FlushWidth; *done < len(list); *done++ {
		e := &list[*done]
		if e.valid != 0 && e.dirty && live.Has(int(e.reg)) {
			if n == 0 || !x.Write.CanPut() {
				return false
			}
			n--
			x.writeBack(e, context, cause)
			*count++
		}
		*e = entry{}
	}
	return true
}

// clear empties the entries of a warp. No lane needs them.
func (x *Upper) clear(context uint16) {
	list := x.entriesOf(context)
	for i := range list {
		list[i] = entry{}
	}
}

// entriesOf returns the entries of a warp.
func (x *Upper) entriesOf(context uint16) []entry {
	p := int(x.warps[context].place)
	if p < 0 {
		return nil
	}
	return x.entries[p*x.spec.Entries:][:x.spec.Entries]
}
