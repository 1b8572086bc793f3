package ltrf

import (
	"kumiko/components/wire"
	"kumiko/kernel/compiler/intervals"
	"kumiko/regfile"
)

// keeping follows which warps have registers in the cache, or registers or results on their way to the main file, for
// a block that moves the registers of warps without slots out of the main file. A nil keeping follows nothing.
type keeping struct {
	signal wire.Signal[regfile.WarpSet]
	set    regfile.WarpSet `bits:"64"`
	going  regfile.WarpSet `bits:"64"` // of these, the ones that may leave the set
}

// keep notes that a warp has a register here. going: it is on its way to the main file, or will be.
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

// tell tells which warps have registers here: all of them while a result waits, because the results behind it are not
// known.
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

// everyWarp has all warps.
var everyWarp = func() (s regfile.WarpSet) {
	for i := range s {
		s[i] = ^uint64(0)
	}
	return s
}()

// forget forgets what results a suspended warp awaits: where its registers are moved, they do not come here. Whatever
// they bring is in the main file when the warp is active again, or comes after that.
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
