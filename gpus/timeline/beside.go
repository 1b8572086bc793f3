package timeline

import (
	"fmt"

	"kumiko/kernel/ir"
	"kumiko/sm"
)

// Code says where a kernel lies in the program into which launches side by side are linked.
type Code struct {
	Kernel string
	Stream int
	First  uint32    // PC of its first instruction
	Insts  []ir.Inst // of the kernel as it is alone
}

// beside has the tracks of launches side by side: their streams, and the CTA slots of the SM.
type beside struct {
	codes   []Code // ascending; none: launches run one by one
	sm      *sm.SM
	streams map[int]track
	slots   map[uint16]track
	there   map[uint16]resident // by CTA slot
}

// resident is a CTA on the SM.
type resident struct {
	kernel string
	since  uint64
}

// Together draws launches side by side from now on, whose kernels are given by ascending PC; without kernels it draws
// launches one by one again.
func (r *recorder) Together(codes []Code) { r.beside.codes = codes }

// Stream draws a launch of a stream between the cycles from and to.
func (r *recorder) Stream(stream int, kernel string, from, to uint64) {
	if r.beside.streams == nil {
		return // nothing is drawn
	}
	k, ok := r.beside.streams[stream]
	if !ok {
		k = r.w.track("Launches", fmt.Sprintf("stream %d", stream))
		r.beside.streams[stream] = k
	}
	if a, b := max(from, r.from), min(to, r.to); a < b {
		r.w.slice(k, "launch", kernel, a, b).num("launched_at", from).num("retired_at", to).end()
	}
}

// codeAt returns the kernel of an instruction, and its PC there; nil where launches run one by one.
func (b *beside) codeAt(pc uint32) (*Code, uint32) {
	for i := len(b.codes) - 1; i >= 0; i-- {
		if c := &b.codes[i]; pc >= c.First {
			return c, pc - c.First
		}
	}
	return nil, pc
}

func (r *recorder) watchCTAs(s *sm.SM) {
	r.beside = beside{sm: s, streams: map[int]track{}, slots: map[uint16]track{}, there: map[uint16]resident{}}
	s.Residency.AddListener(r)
	r.atEnd = append(r.atEnd, func() {
		for slot := range uint16(s.Residency.Slots()) {
			r.Retired(r.to, slot)
		}
	})
}

// Admitted implements residency.Listener.
func (r *recorder) Admitted(now uint64, slot uint16, _ []uint16) {
	if b := &r.beside; len(b.codes) > 0 {
		b.there[slot] = resident{kernel: b.sm.Residency.CTA(slot).Kernel.Name, since: now}
	}
}

// Retired implements residency.Listener.
func (r *recorder) Retired(now uint64, slot uint16) {
	x, ok := r.beside.there[slot]
	if !ok {
		return
	}
	delete(r.beside.there, slot)
	from, to := max(x.since, r.from), min(now, r.to)
	if from >= to {
		return
	}
	k, ok := r.beside.slots[slot]
	if !ok {
		k = r.w.track("Launches", fmt.Sprintf("CTA slot %d", slot))
		r.beside.slots[slot] = k
	}
	r.w.slice(k, "CTA", x.kernel, from, to).end()
}
