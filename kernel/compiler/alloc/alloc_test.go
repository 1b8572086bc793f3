package alloc

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kumiko/kernel/compiler/bitset"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/compiler/internal/randptx"
	"kumiko/kernel/compiler/liveness"
	"kumiko/kernel/ir"
	"kumiko/kernel/ptx"
)

func program(t interface{ Fatal(...any) }, seed uint64) *ir.Kernel {
	m, err := ptx.Parse("fuzz.ptx",
		[]byte(randptx.Program(seed, randptx.Options{Vars: 4 + int(seed%5), Stmts: 60, Depth: 3})))
	if err != nil {
		t.Fatal(err)
	}
	return m.Kernels[0]
}

func TestNoTwoLiveValuesShareARegister(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := code.CloneKernel(program(t, rapid.Uint64Range(0, 1<<20).Draw(t, "seed")))
		opt := Options{Limit: MaxRegisters, Predicates: MaxPredicates, Banks: 4,
			Policy: Policy(rapid.IntRange(0, 3).Draw(t, "policy")), NoCoalesce: rapid.Bool().Draw(t, "apart")}
		alignVectors(k, true, func(int) {})
		p := analyze(k, ir.KindReg, opt, nil)
		failed, used := p.w.best(p.points, opt.Limit, 0, firstFree)
		if len(failed) > 0 {
			t.Skip("needs spilling")
		}
		p.spread(k, opt, used)
		l := liveness.Analyze(k, cfg.Build(k.Insts))
		check := func(pc int, live bitset.Set) {
			holder := map[int]place{}
			live.Each(func(r int) {
				if r >= l.Regs {
					return
				}
				at := p.w.places[r]
				phys := at.n.base + at.word
				if o, ok := holder[phys]; ok && o != at {
					t.Fatalf("at %d %s: two values in R%d", pc, k.Insts[pc].String(), phys)
				}
				holder[phys] = at
			})
		}
		for b := range l.G.Blocks {
			l.Scan(b, func(pc int, after bitset.Set) {
				s := after.Clone()
				l.Defs(&k.Insts[pc], func(i int) { s.Add(i) })
				check(pc, s)
			})
		}
		for _, n := range p.w.nodes {
			if n.base%n.align != 0 {
				t.Fatalf("a value of alignment %d lies at R%d", n.align, n.base)
			}
		}
	})
}

func TestVectorElementsLieInARow(t *testing.T) {
	for seed := range uint64(40) {
		k := code.CloneKernel(program(t, seed))
		if _, err := Run(k, Options{Limit: 16 + int(seed%3)*10}); err != nil {
			t.Fatal(err)
		}
		for pc := range k.Insts {
			v, words := vector(&k.Insts[pc])
			if v == nil {
				continue
			}
			if !consecutive(v) || int(v[0].Reg)%words != 0 {
				t.Fatalf("seed %d: %s", seed, k.Insts[pc].String())
			}
		}
	}
}

func TestALimitThatIsTooSmallIsRefusedInWords(t *testing.T) {
	// A pair for the address and four words to store: six at once.
	k := &ir.Kernel{Name: "st4", NumRegs: 6, Insts: []ir.Inst{{Op: ir.OpSt, Type: ir.B32, Space: ir.Global,
		Addr: ir.Addr{Base: ir.R(0, 2)}, Src: []ir.Operand{ir.R(2, 1), ir.R(3, 1), ir.R(4, 1), ir.R(5, 1)}}}}
	_, err := Run(k, Options{Limit: 5})
	if err == nil || !strings.Contains(err.Error(), "5 registers per thread; 16 are enough") {
		t.Errorf("error %v", err)
	}
	if _, err := Run(k, Options{Limit: 256}); err == nil {
		t.Error("256 registers are accepted")
	}
}

// straight returns a program of n independent constants, all added up at the end: n are live at once.
func straight(n int) *ir.Kernel {
	k := &ir.Kernel{Name: "straight", NumRegs: n + 1}
	for i := range n {
		k.Insts = append(k.Insts, ir.Inst{Op: ir.OpLd, Type: ir.U32, Space: ir.Global,
			Dst: []ir.Operand{ir.R(ir.Reg(i), 1)}, Addr: ir.Addr{Offset: int64(4 * i)}})
	}
	for i := range n {
		k.Insts = append(k.Insts, ir.Inst{Op: ir.OpSt, Type: ir.U32, Space: ir.Global,
			Src: []ir.Operand{ir.R(ir.Reg(i), 1)}, Addr: ir.Addr{Offset: int64(4 * i)}})
	}
	k.Insts = append(k.Insts, ir.Inst{Op: ir.OpExit})
	return k
}

func TestStraightCodeTakesAsManyRegistersAsAreLive(t *testing.T) {
	k := straight(20)
	res, err := Run(k, Options{})
	if err != nil || res.Used != 20 || res.MaxLive != 20 || res.SpilledBytes != 0 {
		t.Errorf("%+v, %v", res, err)
	}
}

// r1 = r0, r2 = r1, ... : one or two live at a time, ten values.
func TestApartGivesEveryValueARegisterOfItsOwnWhileThereAreAny(t *testing.T) {
	chain := func() *ir.Kernel {
		k := &ir.Kernel{NumRegs: 10, Insts: []ir.Inst{{Op: ir.OpMov, Type: ir.B32, Dst: []ir.Operand{ir.R(0, 1)},
			Src: []ir.Operand{ir.Imm(1, 1)}}}}
		for i := range 9 {
			k.Insts = append(k.Insts, ir.Inst{Op: ir.OpNot, Type: ir.B32, Dst: []ir.Operand{ir.R(ir.Reg(i+1), 1)},
				Src: []ir.Operand{ir.R(ir.Reg(i), 1)}})
		}
		return k
	}
	for _, c := range []struct {
		limit, used int
	}{{16, 10}, {7, 7}} {
		k := chain()
		res, err := Run(k, Options{Limit: c.limit, Policy: Apart, NoCoalesce: true})
		if err != nil || res.Used != c.used || res.SpilledBytes != 0 {
			t.Errorf("limit %d: %+v, %v; want %d used", c.limit, res, err, c.used)
		}
		for i := c.limit; i < len(k.Insts); i++ { // the first registers again, in turn
			if a, b := k.Insts[i].Dst[0].Reg, k.Insts[i-c.limit].Dst[0].Reg; a != b {
				t.Errorf("limit %d: value %d is in R%d, want R%d", c.limit, i, a, b)
			}
		}
	}
	if res, err := Run(chain(), Options{NoCoalesce: true}); err != nil || res.Used > 2 {
		t.Errorf("first-free: %+v, %v; want 2 at most used", res, err)
	}
}

func TestSpillingTakesFourBytesPerWordThatDoesNotFit(t *testing.T) {
	// 40 words live, 20 registers. A spilled word still passes through a
	// register where it is loaded and stored, at points where the others may
	// all be live, so at least 20 and at most a few more are spilled.
	k := straight(40)
	res, err := Run(k, Options{Limit: 20})
	if err != nil {
		t.Fatal(err)
	}
	if res.Used > 20 || res.SpilledBytes < 4*20 || res.SpilledBytes > 4*24 || k.LocalBytes != res.SpilledBytes {
		t.Errorf("%+v, local %d", res, k.LocalBytes)
	}
}

func TestReorderingNumbersRegistersByTheirFirstUse(t *testing.T) {
	// R5 is used first, then the pair R2:R3, then R0. They become 0, then 2:3 (aligned), then 1, left free by the
	// pair.
	k := &ir.Kernel{NumRegs: 6, Insts: []ir.Inst{
		{Op: ir.OpMov, Type: ir.B32, Dst: []ir.Operand{ir.R(5, 1)}, Src: []ir.Operand{ir.Imm(1, 1)}},
		{Op: ir.OpLd, Type: ir.U64, Space: ir.Shared, Dst: []ir.Operand{ir.R(2, 2)}, Addr: ir.Addr{Base: ir.R(5, 1)}},
		{Op: ir.OpMov, Type: ir.B32, Dst: []ir.Operand{ir.R(0, 1)}, Src: []ir.Operand{ir.R(3, 1)}},
	}}
	if !Reorder(k, 4) || k.NumRegs != 4 {
		t.Fatalf("%d registers", k.NumRegs)
	}
	got := []ir.Reg{k.Insts[0].Dst[0].Reg, k.Insts[1].Dst[0].Reg, k.Insts[1].Addr.Base.Reg, k.Insts[2].Dst[0].Reg,
		k.Insts[2].Src[0].Reg}
	for i, want := range []ir.Reg{0, 2, 0, 1, 3} {
		if got[i] != want {
			t.Errorf("operand %d: R%d, want R%d", i, got[i], want)
		}
	}
	if Reorder(k, 3) {
		t.Error("four registers are put in three")
	}
}
