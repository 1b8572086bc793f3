package fetch

import (
	"kumiko/kernel/stream"
	"kumiko/regfile"
	"kumiko/sm/message"
	"kumiko/sm/switching"
)

// behind is where a warp stands before the first instruction that has not issued. What
// was fetched beyond is lost when the warp loses its slot.
type behind struct {
	cursor stream.Cursor
	owed   uint8 // branches that have issued and are still to be executed
	group  int32 // of the last instruction or inserted operation that has issued
}

// step takes an instruction, or an inserted operation, that has issued.
func (f *Fetch) step(context uint16, inserted bool) {
	var d stream.Dyn
	b, x := &f.behind[context], f.prog.Insert
	if inserted {
		pc, _ := b.cursor.PeekPC()
		b.group = x.Group[pc]
		return
	}
	if b.cursor.Next(&d) && ResolvesAtUnit(&f.spec, d.Inst.T.Class) {
		b.owed++
	}
	if x != nil {
		b.group = x.Group[d.PC]
	}
}

// Rewindable lets fetch go back for warps that lose their slots.
func (f *Fetch) Rewindable() {
	f.behind = make([]behind, len(f.warps))
	f.Rewind.Init(&f.Comp, "Rewind", 4)
}

// rewind goes back to the first instruction that has not issued, for the warps of a CTA
// that has no slots any more. Contexts that another CTA has since are not its own.
func (f *Fetch) rewind(m *switching.Rewind) {
	if m.Tell || m.Look {
		f.say(m)
	}
	for _, c := range m.Contexts {
		w, b := &f.warps[c], &f.behind[c]
		if m.Look || w.cta != m.CTA {
			continue
		}
		w.cursor, w.room, w.owed, w.group = b.cursor, uint8(f.spec.Buffer), b.owed, b.group
		w.ended = w.cursor.Done()
		w.waiting, w.atUnit = b.owed > 0, b.owed > 0
		w.aside = true
		w.life++
		f.update(int(c))
	}
}

// SayWhere lets fetch answer where warps stand.
func (f *Fetch) SayWhere() {
	f.answer = &switching.Standing{}
	f.Standing.Init(&f.Comp, "Standing")
}

// say answers where the warps of a CTA stand. The switcher asks once at a time, so there
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

// goOn fetches again for warps that have slots.
func (f *Fetch) goOn(r *message.Residence) {
	for _, c := range r.Contexts {
		f.warps[c].aside = false
		f.update(int(c))
	}
}
