package tables

import (
	"slices"
	"strings"
	"testing"

	"kumiko/kernel/compiler"
	"kumiko/kernel/ir"
	"kumiko/kernel/ptx"
)

// branching is a kernel in which lanes with an odd thread number wait behind a sum while the others work.
const branching = `.version 6.3
.target sm_52
.address_size 64
.visible .entry k(.param .u64 p)
{
	.reg .u32 %r<8>;
	.reg .u64 %rd<4>;
	.reg .pred %p<3>;
	ld.param.u64 %rd1, [p];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd2, %r1, 4;
	add.u64 %rd3, %rd1, %rd2;
	ld.global.u32 %r2, [%rd3];
	and.b32 %r3, %r1, 1;
	setp.ne.u32 %p1, %r3, 0;
	@%p1 bra MEET;
LOOP:
	mad.lo.u32 %r2, %r2, %r2, %r1;
	setp.lt.u32 %p2, %r2, 1000;
	@%p2 bra LOOP;
MEET:
	st.global.u32 [%rd3], %r2;
	ret;
}
`

func compiled(t *testing.T) *ir.Kernel {
	t.Helper()
	m, err := ptx.Parse("branching.ptx", []byte(branching))
	if err != nil {
		t.Fatal(err)
	}
	k, err := compiler.Compile(m.Kernel("k"), compiler.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestATableIsWorkedOutOnce(t *testing.T) {
	x := New(compiled(t))
	a, err := x.Intervals(16)
	b, err2 := x.Intervals(16)
	c, err3 := x.Intervals(6)
	if err != nil || err2 != nil || err3 != nil || a != b || a == c {
		t.Errorf("%p, %p, %p: %v, %v, %v", a, b, c, err, err2, err3)
	}
}

func TestEveryInstructionOfARegionNamesRegistersOfItsSetAlone(t *testing.T) {
	k := compiled(t)
	x := New(k)
	intervals, err := x.Intervals(6)
	strands, err2 := x.Strands(6)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	for name, r := range map[string]*Regions{"intervals": intervals, "strands": &strands.Regions} {
		if len(r.ByPC) != len(k.Insts) || len(r.Sets) == 0 || len(r.Entry) != len(r.Sets) {
			t.Fatalf("%s: %d PCs, %d sets, %d entries for %d instructions", name, len(r.ByPC), len(r.Sets),
				len(r.Entry), len(k.Insts))
		}
		for pc := range k.Insts {
			v := r.ByPC[pc]
			in := &k.Insts[pc].T
			for _, reg := range slices.Concat(in.Src[:in.NSrc], in.Dst[:in.NDst]) {
				if v == None || !r.Sets[v].Has(int(reg)) {
					t.Errorf("%s: instruction %d names R%d, which region %d has not", name, pc, reg, v)
				}
			}
		}
		for v, pc := range r.Entry {
			if r.ByPC[pc] != int32(v) {
				t.Errorf("%s: region %d is entered at %d, which is of region %d", name, v, pc, r.ByPC[pc])
			}
		}
	}
}

// While the working lanes are in the loop, the others wait before the store, with their address and value.
func TestWhatLanesElsewhereNeedIsLive(t *testing.T) {
	k := compiled(t)
	live := New(k).Live()
	store := slices.IndexFunc(k.Insts, func(in ir.Inst) bool { return in.Op == ir.OpSt })
	loop := slices.IndexFunc(k.Insts, func(in ir.Inst) bool { return in.Op == ir.OpMad || in.Op == ir.OpFma })
	if store < 0 || loop < 0 || loop > store {
		t.Fatalf("loop at %d, store at %d", loop, store)
	}
	if live[store].Len() != 3 {
		t.Errorf("live before the store: %v, want an address and a value", live[store].Registers())
	}
	for _, r := range live[store].Registers() {
		if !live[loop].Has(r) {
			t.Errorf("R%d, which lanes at the store need, is not live in the loop", r)
		}
	}
}

// On the path to the loop the store is still to come, so its sources are live there too. By the path alone, no
// further registers are live.
func TestTheRegistersOfAPathAreASubsetOfTheWarps(t *testing.T) {
	x := New(compiled(t))
	warp, path := x.Live(), x.PathLive()
	if len(path) != len(warp) {
		t.Fatalf("%d and %d instructions", len(path), len(warp))
	}
	some := false
	for pc := range path {
		some = some || !path[pc].Empty()
		if !path[pc].Without(warp[pc]).Empty() {
			t.Errorf("instruction %d: %v live on the path, %v for the warp", pc, path[pc].Registers(),
				warp[pc].Registers())
		}
	}
	if !some {
		t.Error("nothing is live on any path")
	}
}

func TestAnInstructionWithTooManyRegistersIsNamedWithItsPlace(t *testing.T) {
	x := New(compiled(t))
	for _, err := range []error{second(x.Intervals(2)), second(x.Strands(2))} {
		if err == nil || !strings.HasPrefix(err.Error(), "branching.ptx:") ||
			!strings.Contains(err.Error(), "expected at most the 2 of a region") {
			t.Errorf("error %v", err)
		}
	}
}

func second[T any](_ T, err error) error { return err }
