package streams

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// replay gives a Model the streams as its comment says.
func replay(m *Model, ctas []*stream.CTA, opt Options) {
	for _, cta := range ctas {
		for i := range cta.Warps {
			var cursor stream.Cursor
			cursor.Start(cta.Kernel, &cta.Warps[i])
			var d stream.Dyn
			var since map[ir.RegID]bool // long results since the last suspension
			suspend := func() { m.Suspend(); since = map[ir.RegID]bool{} }
			suspend()
			for cursor.Next(&d) {
				t := &d.Inst.T
				touches := false
				for _, r := range slices.Concat(t.Src[:t.NSrc], t.Dst[:t.NDst]) {
					touches = touches || since[r]
				}
				if t.LongConsumer && (touches || !opt.ReadyKeeps) {
					suspend()
				}
				if d.Exec == 0 {
					continue
				}
				seen := map[ir.RegID]bool{}
				for s := range t.NSrc {
					if r := t.Src[s]; !seen[r] || opt.ReadTwice {
						seen[r] = true
						m.Read(uint8(r), d.Exec, t.Dead>>s&1 != 0, t.FarSrc>>s&1 != 0)
					}
				}
				for i, r := range t.Dst[:t.NDst] {
					m.Write(uint8(r), d.Exec, d.Inst.Op == ir.OpTex, t.FarDst>>i&1 != 0)
					since[r] = d.Inst.Op == ir.OpTex
				}
				if d.Inst.Op == ir.OpBar && !opt.BarriersKeep {
					suspend()
				}
			}
			m.End()
		}
	}
}

// drawKernel makes straight-line code of arbitrary instructions.
func drawKernel(rt *rapid.T) *ir.Kernel {
	regs := rapid.IntRange(1, 40).Draw(rt, "registers")
	k := &ir.Kernel{Allocated: true}
	for range rapid.IntRange(1, 30).Draw(rt, "instructions") {
		in := ir.Inst{Op: rapid.SampledFrom([]ir.Op{ir.OpAdd, ir.OpAdd, ir.OpAdd, ir.OpTex, ir.OpBar}).Draw(rt, "op")}
		in.T.NSrc = uint8(rapid.IntRange(0, 4).Draw(rt, "sources"))
		for i := range in.T.NSrc {
			in.T.Src[i] = ir.RegID(rapid.IntRange(0, regs-1).Draw(rt, "source"))
		}
		in.T.NDst = uint8(rapid.IntRange(0, 2).Draw(rt, "destinations"))
		for i := range in.T.NDst {
			in.T.Dst[i] = ir.RegID((rapid.IntRange(0, regs-1).Draw(rt, "destination") + int(i)) % 256)
		}
		in.T.Dead = rapid.Uint16Max(1<<in.T.NSrc-1).Draw(rt, "dead")
		in.T.FarSrc = rapid.Uint16().Draw(rt, "far sources")
		in.T.FarDst = rapid.Uint16().Draw(rt, "far destinations")
		in.T.LongConsumer = rapid.IntRange(0, 9).Draw(rt, "consumer") == 0
		in.T.Guarded = rapid.IntRange(0, 3).Draw(rt, "guarded") == 0
		k.Insts = append(k.Insts, in)
	}
	return k
}

// drawCTA makes warps jumping about in the kernel with arbitrary lanes.
func drawCTA(rt *rapid.T, k *ir.Kernel) *stream.CTA {
	cta := &stream.CTA{Kernel: k}
	for range rapid.IntRange(1, 2).Draw(rt, "warps") {
		var w stream.Warp
		lanes := rapid.SampledFrom([]uint32{1<<32 - 1, 0xff, 0x3}).Draw(rt, "lanes")
		for range rapid.IntRange(1, 12).Draw(rt, "runs") {
			pc := rapid.IntRange(0, len(k.Insts)-1).Draw(rt, "pc")
			n := rapid.IntRange(1, len(k.Insts)-pc).Draw(rt, "n")
			mask := lanes
			if rapid.Bool().Draw(rt, "diverged") {
				mask &= rapid.Uint32Range(1, 1<<32-1).Draw(rt, "mask")
			}
			if mask == 0 {
				mask = 1
			}
			w.Runs = append(w.Runs, stream.Run{PC: uint32(pc), N: uint32(n), Mask: mask})
			for _, in := range k.Insts[pc : pc+n] {
				w.Insts++
				if in.T.Guarded {
					w.Masks = append(w.Masks, mask&rapid.SampledFrom([]uint32{0, 1, 0xf0f, 0xffffffff}).Draw(rt,
						"guard"))
				}
			}
		}
		cta.Warps = append(cta.Warps, w)
	}
	return cta
}

func TestACollectorCountsWhatAModelOfEachConfigurationCounts(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		opt := Options{ReadTwice: rapid.Bool().Draw(rt, "twice"), BarriersKeep: rapid.Bool().Draw(rt, "barriers"),
			ReadyKeeps: rapid.Bool().Draw(rt, "ready")}
		c := NewCollector(opt)
		var ctas []*stream.CTA
		for range rapid.IntRange(1, 2).Draw(rt, "ctas") {
			ctas = append(ctas, drawCTA(rt, drawKernel(rt)))
			c.CTA(ctas[len(ctas)-1])
		}
		for _, cfg := range Families() {
			for _, cfg.Entries = range append([]int{0}, sizes[:]...) {
				m := Model{Config: cfg}
				replay(&m, ctas, opt)
				if diff := cmp.Diff(m.Counts, c.Counts(cfg)); diff != "" {
					rt.Fatalf("%s: model (-) and collector (+):\n%s", cfg.Path(false), diff)
				}
			}
		}
	})
}
