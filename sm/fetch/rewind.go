package fetch

import (
	"kumiko/kernel/stream"
	"kumiko/regfile"
	"kumiko/sm/message"
	"kumiko/sm/switching"
)

// behind is the position of a warp before its first unissued instruction. Instructions fetched
// beyond are lost when the warp loses its slot.
type behind struct {
	cursor         stream.Cursor
	issuedBranches uint8 // issued branches, not executed yet
	group          int32 // of the last issued instruction or inserted operation
}

// step advances a warp's position by an issued instruction or inserted operation.
func (f *Fetch) step(context uint16, inserted bool) {
	var d stream.Dyn
	b, x := &f.behind[context], f.prog.Insert
	if inserted {
		pc, _ := b.cursor.PeekPC()
		b.group = x.Group[pc]
		return
	}
	if b.cursor.Next(&d) && f.atUnit>>d.Inst.T.Class&1 != 0 {
		b.issuedBranches++
	}
	if x != nil {
		b.group = x.Group[d.PC]
	}
}

// Rewindable enables the rewinding of warps without slots.
func (f *Fetch) Rewindable() {
	f.behind = make([]behind, len(f.warps))
	f.Rewind.Init(&f.Comp, "Rewind", 4)
}

// rewind returns the warps of a CTA without slots to their first unissued instruction. It skips contexts
// since reused by another CTA.
func (f *Fetch) rewind(m *switching.Rewind) {
	if m.Report || m.ReportOnly {
		f.say(m)
	}
	for _, c := range m.Contexts {
		w, b := &f.warps[c], &f.behind[c]
		if m.ReportOnly || w.cta != m.CTA {
			continue
		}
		w.cursor, w.room, w.issuedBranches, w.group = b.cursor, uint8(f.spec.Buffer), b.issuedBranches, b.group
		w.atUnit = b.issuedBranches > 0
		w.waits |= forSlot
		w.waits.set(forEver, w.cursor.Done())
		w.waits.set(forBranch, w.atUnit)
		w.life++
		f.update(int(c))
	}
}

// SayWhere enables reports of the warps' next instructions.
func (f *Fetch) SayWhere() {
	f.answer = &switching.Standing{}
	f.Standing.Init(&f.Comp, "Standing")
}

// say reports the next instructions of a CTA's warps. The switcher has one request outstanding at most, so there
// is room.
func (f *Fetch) say(m *switching.Rewind) {
	s := f.answer
	s.Contexts, s.PCs = s.Contexts[:0], s.PCs[:0]
	for _, c := range m.Contexts {
		if f.warps[c].cta != m.CTA {
			continue
		}
		at := int32(regfile.NoPC)
		if pc, more := f.behind[c].cursor.PeekPC(); more {
			at = int32(pc)
		}
		s.Contexts, s.PCs = append(s.Contexts, c), append(s.PCs, at)
	}
	f.Standing.Put(*s)
}

// goOn resumes fetching for warps that have slots again.
func (f *Fetch) goOn(r *message.Residence) {
	for _, c := range r.Contexts {
		f.warps[c].waits &^= forSlot
		f.update(int(c))
	}
}
