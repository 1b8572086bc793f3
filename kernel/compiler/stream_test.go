package compiler

import (
	"testing"

	"kumiko/kernel/compiler/alloc"
	"kumiko/kernel/compiler/bitset"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/liveness"
	"kumiko/kernel/emu"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// streams runs the kernel fuzz and returns its CTAs' streams.
func streams(t *testing.T, m *ir.Module, k *ir.Kernel, seed uint64) []*stream.CTA {
	r, launch, _, err := launchOf(m, k, seed)
	if err != nil {
		t.Fatal(err)
	}
	l, err := r.Prepare(launch)
	if err != nil {
		t.Fatal(err)
	}
	s := emu.NewSource(l, 2)
	var ctas []*stream.CTA
	for c := s.Next(); c != nil; c = s.Next() {
		ctas = append(ctas, c)
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return ctas
}

// holes is the register files of a warp, with each lane of each register present or lost.
type holes struct {
	lost [256]uint32
}

func (h *holes) reads(t *testing.T, seed uint64, what string, d *stream.Dyn) {
	for _, r := range d.Inst.T.Src[:d.Inst.T.NSrc] {
		if h.lost[r]&d.Exec != 0 {
			t.Fatalf("seed %d: %s: %d %s reads R%d, which was given up", seed, what, d.PC, d.Inst, r)
		}
	}
}

func (h *holes) writes(d *stream.Dyn) {
	for _, r := range d.Inst.T.Dst[:d.Inst.T.NDst] {
		h.lost[r] &^= d.Exec
	}
}

func eachDyn(t *testing.T, seeds uint64, f func(seed uint64, k *ir.Kernel) func(d *stream.Dyn)) {
	for seed := range seeds {
		m := parseFuzz(t, seed)
		k := mustCompile(t, m.Kernels[0], Options{Registers: alloc.MinRegisters + 8*int(seed%4)})
		for _, c := range streams(t, m, k, seed) {
			for w := range c.Warps {
				visit := f(seed, k)
				var cur stream.Cursor
				var d stream.Dyn
				cur.Start(k, &c.Warps[w])
				for cur.Next(&d) {
					visit(&d)
				}
			}
		}
	}
}

func TestNoLaneReadsARegisterAfterItsLastRead(t *testing.T) {
	marked := 0
	eachDyn(t, 30, func(seed uint64, k *ir.Kernel) func(*stream.Dyn) {
		var h holes
		return func(d *stream.Dyn) {
			h.reads(t, seed, "dead operands", d)
			for i := range d.Inst.T.NSrc {
				if d.Inst.T.Dead>>i&1 != 0 {
					h.lost[d.Inst.T.Src[i]] = ^uint32(0)
					marked++
				}
			}
			h.writes(d)
		}
	})
	if marked == 0 {
		t.Error("no operand was marked dead")
	}
}

func TestALaneReadsOnlyWhatItsLiveVectorsHold(t *testing.T) {
	vectors := map[*ir.Kernel][]bitset.Set{}
	eachDyn(t, 30, func(seed uint64, k *ir.Kernel) func(*stream.Dyn) {
		var h holes
		if vectors[k] == nil {
			vectors[k] = liveness.Analyze(k, cfg.Build(k.Insts)).Vectors()
		}
		v := vectors[k]
		return func(d *stream.Dyn) {
			for r := range k.NumRegs {
				if !v[d.PC].Has(r) {
					h.lost[r] |= d.Active
				}
			}
			h.reads(t, seed, "live vectors", d)
			h.writes(d)
		}
	})
}
