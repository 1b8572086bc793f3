package stream_test

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// drawn returns a kernel, and a warp running through parts of it, with jumps over some of the runs.
func drawn(t *rapid.T) (*ir.Kernel, *stream.Warp) {
	k := &ir.Kernel{Insts: make([]ir.Inst, rapid.IntRange(1, 12).Draw(t, "instructions"))}
	for i := range k.Insts {
		k.Insts[i].T.Guarded = rapid.Bool().Draw(t, "guarded")
		if rapid.IntRange(0, 2).Draw(t, "space") == 0 {
			k.Insts[i].T.Space = ir.Global
		}
	}
	w := &stream.Warp{}
	var begin []stream.Place
	for range rapid.IntRange(0, 6).Draw(t, "runs") {
		pc := rapid.IntRange(0, len(k.Insts)-1).Draw(t, "PC")
		r := stream.Run{PC: uint32(pc), N: uint32(rapid.IntRange(1, len(k.Insts)-pc).Draw(t, "N")), Mask: 7}
		begin = append(begin, stream.Place{Run: len(w.Runs), Mask: len(w.Masks), Access: len(w.Accesses)})
		w.Runs = append(w.Runs, r)
		for i := range r.N {
			exec := r.Mask
			in := &k.Insts[r.PC+i]
			if in.T.Guarded {
				exec = rapid.SampledFrom([]uint32{0, 3, 7}).Draw(t, "lanes")
				w.Masks = append(w.Masks, exec)
			}
			if in.T.Space != ir.SpaceNone && exec != 0 {
				w.Accesses = append(w.Accesses, stream.Access{Base: uint64(len(w.Accesses))})
			}
		}
	}
	for from := 1; from < len(begin); from++ {
		if rapid.IntRange(0, 3).Draw(t, "jump") == 0 {
			to := rapid.IntRange(from+1, len(begin)).Draw(t, "to")
			if to == len(begin) {
				break
			}
			w.Jumps = append(w.Jumps, stream.Jump{From: from, To: begin[to]})
			from = to
		}
	}
	return k, w
}

func TestACursorGoesFromAccessToAccessAsItDoesByInstructions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, w := drawn(t)
		until := rapid.IntRange(0, len(w.Runs)).Draw(t, "until")
		x := stream.AccessesOf(k)
		var slow, fast stream.Cursor
		slow.Start(k, w)
		fast.Start(k, w)
		for {
			var want, got stream.Dyn
			more := false
			for !more && slow.Run() < until && slow.Next(&want) {
				more = want.Access != nil
			}
			if fast.NextAccess(x, until, &got) != more {
				t.Fatalf("an access is there: %t, want %t", !more, more)
			}
			if !more {
				return
			}
			if got != want {
				t.Fatalf("%+v, want %+v", got, want)
			}
		}
	})
}
