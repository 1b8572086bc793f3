package compressed

import (
	"slices"

	"kumiko/components/bank"
	"kumiko/components/wire"
)

// The slot of a read has its form in the upper bits and, between them and the source, a bit for reads of the
// compressors themselves.
const (
	formShift     = 6
	toCompressors = bank.SourceBits + 1
	sourceBits    = bank.SourceBits
)

// takeRequests sends requests on to the banks, the oldest first. A request waits for results of its registers, and
// others pass it. It returns true if requests are left.
func (x *Compressors) takeRequests(now wire.Cycle) bool {
	for r := x.Request.Head(); r != nil && len(x.pending) < cap(x.pending); r = x.Request.Head() {
		x.pending = append(x.pending, *r)
		x.Request.Pop()
	}
	for i := 0; i < len(x.pending); {
		r := &x.pending[i]
		if x.awaits(r) || x.Read.Room(int(r.N)) < int(r.N) {
			x.count.readWaits++
			i++
			continue
		}
		x.pass(r, now)
		x.pending = slices.Delete(x.pending, i, i+1)
	}
	return len(x.pending) > 0 || x.Request.Head() != nil
}

// awaits reports whether a result of one of the registers of a request is still here.
func (x *Compressors) awaits(r *bank.Request) bool {
	for _, reg := range r.Reg[:r.N] {
		if awaited(x.queue, r.Warp, reg) {
			return true
		}
	}
	return false
}

// pass sends a request on, as a request for each form of its registers: each switches on the banks of its form.
func (x *Compressors) pass(r *bank.Request, now wire.Cycle) {
	for f := range numForms {
		out := (*bank.Request)(nil)
		for i := range r.N {
			if x.forms[x.entryIndex(r.Warp, r.Reg[i])] != f {
				continue
			}
			if out == nil {
				out = x.Read.Slot()
				*out = *r
				if out.N = 0; f != full {
					out.Lanes = f.lanes()
				}
			}
			n := out.N
			out.Bank[n], out.Entry[n], out.Reg[n] = r.Bank[i], r.Entry[i], r.Reg[i]
			out.Slot[n] = r.Slot[i] | uint8(f)<<formShift
			out.N++
			x.compare(r, i, f, now)
		}
		if out != nil {
			x.Read.PutSlot()
			n := uint64(out.N)
			x.count.reads[f] += n
			x.count.plainReads += n * bank.LaneGroups(r.Lanes)
		}
	}
}

// compare, with checking, reports a register whose form differs from the form of the value to be read.
func (x *Compressors) compare(r *bank.Request, i uint8, f form, now wire.Cycle) {
	if x.check == nil {
		return
	}
	w, ok := x.values.Before(r.Warp, r.Reg[i], r.Tag)
	if !ok {
		return
	}
	if want := formOf(w.Class, w.Lanes, x.spec.Delta); want != f {
		x.check.Form(x.Name(), now, r.Warp, r.Reg[i], f.String(), want.String())
	}
}
