package ltrf

import (
	"kumiko/components/wire"
	"kumiko/kernel/compiler/intervals"
	"kumiko/regfile"
)

// keeping tracks the warps with registers in the cache, or with registers or results on their way to the main file.
// It serves a block moving the registers of warps without slots out of the main file. A nil keeping tracks nothing.
type keeping struct {
	signal wire.Signal[regfile.WarpSet]
	set    regfile.WarpSet `bits:"64"`
	going  regfile.WarpSet `bits:"64"` // of these, warps about to leave the set
}

// keep adds a warp to the set. going: its registers are on their way to the main file, or about to be.
func (k *keeping) keep(warp uint16, going bool) {
	if k == nil {
		return
	}
	k.set.Add(int(warp))
	if going {
		k.going.Add(int(warp))
	} else {
		k.going.Remove(int(warp))
	}
}

// tell updates the signal with the warps in the set. It signals all warps while a result waits (held), because the
// results behind it are unknown.
func (x *WCB) tell(held bool) {
	k := x.keeping
	if k == nil {
		return
	}
	each(k.going, func(w int) {
		if b := &x.blocks[w]; b.valid.Empty() && b.back.Empty() && b.passing == 0 {
			k.set.Remove(w)
			k.going.Remove(w)
		}
	})
	if held {
		k.signal.Set(everyWarp)
		return
	}
	k.signal.Set(k.set)
}

// everyWarp is the set of all warps.
var everyWarp = func() (s regfile.WarpSet) {
	for i := range s {
		s[i] = ^uint64(0)
	}
	return s
}()

// forget forgets the results awaited by a suspended warp: if its registers are moved, the results do not come here.
// Their values are in the main file when the warp is active again, or arrive after that.
func (b *block) forget() {
	b.live = b.live.Or(b.pending)
	b.pending, b.every = intervals.Set{}, intervals.Set{}
}

// Kept implements regfile.Keeper.
func (f *File) Kept() []func(context uint16) bool {
	out := f.File.Kept()
	for _, p := range f.parts {
		if k := p.wcb.keeping; k != nil {
			out = append(out, func(context uint16) bool {
				set := k.signal.Get()
				return set.Has(int(context))
			})
		}
	}
	return out
}
