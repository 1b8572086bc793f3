package fetch

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/tagarray"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/regfile"
	"kumiko/sm/message"
	"kumiko/sm/program"
	"kumiko/sm/smtest"
)

// Fetches bring two instructions each.
func TestFetchesAndLinesOfTheProgramAreCounted(t *testing.T) {
	c := newCachedFetch(2)
	c.f.cache.spec.Misses = 1
	c.start.Send(1, &message.Residence{CTA: c.cta, Contexts: []uint16{0}})
	c.arrives(40, 0)
	c.d.RunUntil(100)
	// one fetch misses at 2, one hits at 41
	if c.f.fetches != 2 || c.f.insts != 2 || c.f.cache.misses != 1 {
		t.Errorf("%d fetches of %d instructions, %d misses; want 2, 2, 1", c.f.fetches, c.f.insts, c.f.cache.misses)
	}
	c.f.cache.lookUp(CodeBase+5*128, 0, &c.f.ToMem)
	if o := c.f.cache.lookUp(CodeBase+6*128, 0, &c.f.ToMem); o != fetchRefused || c.f.cache.full != 1 {
		t.Errorf("a second line is asked for: %d, %d refused", o, c.f.cache.full)
	}
}

func TestFlushedCodeIsBroughtAgain(t *testing.T) {
	c := newCachedFetch(1)
	c.f.cache.lookUp(CodeBase, 0, &c.f.ToMem)
	c.f.cache.fill(CodeBase, 0xf)
	if c.f.cache.lookUp(CodeBase, 0, &c.f.ToMem) != fetchHit {
		t.Fatal("the line is not there")
	}
	c.f.Flush()
	if c.f.cache.lookUp(CodeBase, 0, &c.f.ToMem) == fetchHit {
		t.Error("the line is there after a flush")
	}
	(&Fetch{}).Flush() // of a perfect cache there is nothing to drop
}

// fetchedPCs returns the PCs fetched for a warp executing these runs.
func fetchedPCs(t *testing.T, x *regfile.Insertions, icache *ICacheSpec, runs ...stream.Run) (pcs []uint32,
	at []wire.Cycle) {
	t.Helper()
	spec := testFetch()
	spec.Buffer, spec.Instructions = 8, 8
	if icache != nil {
		spec.ICache = *icache
	}
	b := newBench(spec, Clients{8, 1, 0})
	k := smtest.KernelOf(make([]ir.Inst, len(x.Group))...)
	b.f.prog = program.New(k, &program.Target{Bytes: 8}, x)
	b.f.prog.Code = CodeBase
	cta := &stream.CTA{Kernel: k, Warps: []stream.Warp{{Runs: runs}}}
	b.start.Send(1, &message.Residence{CTA: cta, Contexts: []uint16{0}})
	for c := range wire.Cycle(20) { // every entry is free again at once, and every branch resolved
		b.notes[0].Send(3+2*c, message.FetchNote{Freed: 1, Resolved: true})
	}
	b.d.RunUntil(60)
	for _, g := range b.out[0].Got {
		pcs = append(pcs, g.Msg.PC)
		at = append(at, g.Cycle)
		if inserted := g.Msg.Inst == regfile.InsertedInst(); inserted != (int(g.Msg.PC) >= len(x.Group)) || inserted &&
			(g.Msg.Redirect || g.Msg.Last) {
			t.Errorf("fetched %+v", g.Msg)
		}
	}
	return pcs, at
}

func TestFetchPutsAnOperationWhereAWarpEntersAGroup(t *testing.T) {
	x := &regfile.Insertions{Group: []int32{0, 0, 1, 1, regfile.NoGroup, 0}, Ops: make([]regfile.Inserted, 2)}
	const op0, op1 = 6, 7
	for _, c := range []struct {
		what string
		runs []stream.Run
		want []uint32
	}{
		{"straight code", []stream.Run{smtest.Run(0, 6)}, []uint32{op0, 0, 1, op1, 2, 3, 4, op0, 5}},
		{"a loop within a group", []stream.Run{smtest.Run(0, 4), smtest.Run(2, 2), smtest.Run(2, 2)},
			[]uint32{op0, 0, 1, op1, 2, 3, 2, 3, 2, 3}},
		{"a loop over two groups", []stream.Run{smtest.Run(1, 2), smtest.Run(1, 2)},
			[]uint32{op0, 1, op1, 2, op0, 1, op1,
				2}},
		{"entered in the middle", []stream.Run{smtest.Run(3, 1), smtest.Run(2, 1)}, []uint32{op1, 3, 2}},
	} {
		got, _ := fetchedPCs(t, x, nil, c.runs...)
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.what, d)
		}
	}
}

// The operation of group 0 has 40 bytes, that of group 1 has 32, and an instruction has 8.
func TestOperationsLieBeforeTheInstructionsByWhichGroupsAreEntered(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, nil), smtest.Inst(ir.ClassInt, nil), smtest.Inst(ir.ClassInt, nil),
		ir.Inst{Op: ir.OpBra, Target: 1})
	x := &regfile.Insertions{Group: []int32{0, 0, 1, 1}, Ops: []regfile.Inserted{{Bytes: 40}, {Bytes: 32}}}
	l := program.NewLayout(k, x, 8)
	// An operation lies before each instruction by which its group is entered: group 0 before 0, where the kernel
	// begins, and before 1, the target of the branch in group 1; group 1 before 2, which follows 1.
	if d := cmp.Diff([]uint32{40, 88, 128, 136}, l.At); d != "" {
		t.Errorf("instructions (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]uint32{39, 87, 127, 136}, l.Op); d != "" {
		t.Errorf("ends of operations (-want +got):\n%s", d)
	}
	plain := program.Layout{Bytes: 8}
	if got := plain.Offset(5); got != 40 {
		t.Errorf("without operations instruction 5 lies at %d, want 40", got)
	}
}

// 120 bytes of operation and 8 of an instruction fill a line of 128. The next instruction is
// in another line, to be fetched first.
func TestTheBytesOfOperationsFillLinesOfTheInstructionCache(t *testing.T) {
	x := &regfile.Insertions{Group: []int32{0, 0}, Ops: []regfile.Inserted{{Bytes: 120}}}
	icache := &ICacheSpec{Misses: 2, Tags: tagarray.Spec{Sets: 1, Ways: 2, Line: 128, Sector: 128, Replace: "lru",
		Index: "linear"}}
	f := New("F", wire.NewDomain("core", smtest.GHz), Spec{ICache: *icache, Resolve: "issue"}, Clients{8, 1, 0},
		nil)
	f.prog = program.New(smtest.KernelOf(make([]ir.Inst, 2)...), &program.Target{Bytes: 8}, x)
	w := &fetchState{group: regfile.NoGroup}
	if a := f.address(w, 0); a != 119 {
		t.Errorf("the operation ends at %d, want 119", a)
	}
	w.group = 0
	if a, b := f.address(w, 0), f.address(w, 1); a != 120 || b != 128 || (a^b)&f.mask == 0 {
		t.Errorf("instructions at %d and %d, want 120 and 128, in two lines", a, b)
	}
}
