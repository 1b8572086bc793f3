package gpus_test

import (
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/gpus"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/timeline"
)

// profiled returns the profile of a kernel of one parameter on one SM of a gtx980, and the
// statistics of the launch.
func profiled(t *testing.T, text string, ctas, threads int,
	set ...string) (*timeline.ProfileReport, map[string]uint64) {
	t.Helper()
	return sampledProfile(t, 1, nil, text, ctas, threads, set...)
}

// sampledProfile is profiled with a profile of one of interval windows of cycles, and with a log unless it is nil.
func sampledProfile(t *testing.T, interval int, log *timeline.Konata, text string, ctas, threads int,
	set ...string) (*timeline.ProfileReport, map[string]uint64) {
	t.Helper()
	rec, err := timeline.New(nil, 0, 0, math.MaxUint64)
	if err != nil {
		t.Fatal(err)
	}
	rec.Profile(timeline.NewProfile(interval))
	if log != nil {
		rec.Log(log)
	}
	m := machinetest.GPU(t, "gtx980", gpus.Options{Timeline: rec}, append(set, "sm.count=1")...)
	err = machinetest.Launch(t, m, text, ctas, threads, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := rec.Close(nil); err != nil {
		t.Fatal(err)
	}
	return rec.Report(), m.Results()[0].Stats
}

const mixed = `.version 6.3
.target sm_60
.address_size 64
.visible .entry k(.param .u64 p) {
.reg .u64 %rd<4>;
.reg .f32 %f<12>;
.reg .u32 %r<4>;
.reg .pred %p<2>;
ld.param.u64 %rd1, [p];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd2, %r1, 4;
add.u64 %rd3, %rd1, %rd2;
ld.global.f32 %f1, [%rd3];
mov.f32 %f2, 0f3F800000;
mov.u32 %r2, 0;
L: fma.rn.f32 %f3, %f1, %f2, %f3;
fma.rn.f32 %f4, %f1, %f2, %f4;
fma.rn.f32 %f5, %f3, %f4, %f5;
ld.global.f32 %f6, [%rd3+64];
fma.rn.f32 %f7, %f6, %f2, %f5;
add.u32 %r2, %r2, 1;
setp.lt.u32 %p1, %r2, 20;
@%p1 bra L;
st.global.f32 [%rd3], %f7;
ret;
}`

func TestTheWaitsOfAProfileAreTheConflictCyclesOfTheRun(t *testing.T) {
	p, stats := profiled(t, mixed, 8, 256, "regfile.conventional.bank_ports=1rw", "regfile.conventional.banks=4")
	var bank, write, crossbar, reads, byBank, held, issues, overTime, known uint64
	for _, x := range p.Instructions {
		bank, write, crossbar = bank+x.BankWait, write+x.WriteWait, crossbar+x.CrossbarWait
		issues += x.Issues
		reads += *x.BankReads
		for _, b := range x.Banks {
			byBank += b.Cycles
		}
		for _, h := range x.Holders {
			held += h.Cycles
			if h.Waiting != "" && h.Register != "" {
				known += h.Cycles
			}
		}
	}
	for _, b := range p.Time.Banks {
		for _, n := range b.Cycles {
			overTime += n
		}
	}
	for _, c := range []struct {
		name      string
		got, want uint64
	}{
		{"issues", issues, stats["sm.warp_instructions"]},
		{"operands", reads, stats["regfile.bank.reads.operand"]},
		{"waits of reads for banks", bank, stats["regfile.arbiter.read_conflicts"]},
		{"waits of writes for banks", write, stats["regfile.arbiter.write_conflicts"]},
		{"cycles by bank", byBank, bank + write},
		{"cycles by holder", held, bank + write},
		{"cycles with both registers", known, bank + write},
		{"cycles over time", overTime, bank + write},
	} {
		if c.got != c.want || c.want == 0 {
			t.Errorf("%s: %d, want %d, and some", c.name, c.got, c.want)
		}
	}
}

// The statistic counts the values at the heads of the crossbar's inputs, the profile also
// those behind.
func TestTheWaitsForTheCrossbarAreAtLeastItsConflictCycles(t *testing.T) {
	p, stats := profiled(t, mixed, 8, 256)
	var crossbar uint64
	for _, x := range p.Instructions {
		crossbar += x.CrossbarWait
	}
	if n := stats["regfile.crossbar.conflicts"]; n == 0 || crossbar < n || crossbar > n+n/20 {
		t.Errorf("waits for the crossbar: %d, want %d or at most a twentieth more, and some", crossbar, n)
	}
}

// A warp alone conflicts with itself: of the three sources of an FMA in one bank the second
// waits one cycle and the third two.
func TestAProfileNamesTheInstructionThatHeldTheBank(t *testing.T) {
	chain := strings.Repeat("fma.rn.f32 %f5, %f3, %f4, %f5;\n", 10)
	head, tail, _ := strings.Cut(mixed, "L: ")
	_, tail, _ = strings.Cut(tail, "@%p1 bra L;")
	p, _ := profiled(t, head+"add.f32 %f3, %f1, %f2;\nadd.f32 %f4, %f1, %f1;\nmov.f32 %f5, %f4;\n"+chain+
		"add.f32 %f7, %f5, %f3;\nadd.f32 %f7, %f7, %f4;"+tail, 1, 32, "regfile.conventional.banks=4",
		"regfile.conventional.bank_ports=1r1w")
	chained := 0
	for i := range p.Instructions {
		x := &p.Instructions[i]
		if !strings.HasPrefix(x.Text, "fma") || x.BankWait != 3 {
			continue
		}
		chained++
		pairs := map[string]bool{}
		for _, h := range x.Holders {
			if h.Cycles != 1 || !h.OwnWarp || h.PC != x.PC || h.Bank != x.Banks[0].Bank {
				t.Errorf("pc %d: held by %+v, want the instruction itself, in the bank of all its sources", x.PC, h)
			}
			pairs[h.Waiting+" behind "+h.Register] = true
		}
		_, sources, _ := strings.Cut(x.Text, ", ")
		a := strings.Split(sources, ", ")
		want := map[string]bool{a[1] + " behind " + a[0]: true, a[2] + " behind " + a[0]: true,
			a[2] + " behind " + a[1]: true}
		if diff := cmp.Diff(want, pairs); diff != "" {
			t.Errorf("pc %d, %s: registers (-want +got):\n%s", x.PC, x.Text, diff)
		}
	}
	if chained < 9 {
		t.Errorf("%d instructions wait 3 cycles, want at least 9 of the chain", chained)
	}
}

func TestAProfileChangesNoResult(t *testing.T) {
	_, with := profiled(t, mixed, 8, 256)
	m := machinetest.GPU(t, "gtx980", gpus.Options{}, "sm.count=1")
	err := machinetest.Launch(t, m, mixed, 8, 256, 0)
	if err != nil {
		t.Fatal(err)
	}
	without := m.Results()[0].Stats
	for name, n := range without {
		if with[name] != n {
			t.Errorf("%s: %d with a profile, %d without", name, with[name], n)
		}
	}
}

func TestAProfileOfEveryWindowIsThatOfTheWholeRun(t *testing.T) {
	p, stats := sampledProfile(t, 1, nil, mixed, 8, 256)
	all := stats["sm.warp_instructions"]
	if x := p.Share; x.Recorded != all || x.Issues != all || x.Cycles != p.To-p.From || all == 0 {
		t.Errorf("%+v of %d cycles, want all of %d instructions", x, p.To-p.From, all)
	}
}

// The run of 77,000 cycles has fifteen groups of ten windows.
func TestAProfileOfOneInTenWindowsRecordsAboutATenth(t *testing.T) {
	if testing.Short() {
		t.Skip("a run of many windows")
	}
	const ctas = 200
	whole, stats := sampledProfile(t, 1, nil, mixed, ctas, 256)
	part, _ := sampledProfile(t, 10, nil, mixed, ctas, 256)
	x := part.Share
	if x.Issues != stats["sm.warp_instructions"] || x.Recorded < x.Issues*8/100 || x.Recorded > x.Issues*12/100 {
		t.Errorf("%d of %d instructions recorded, want a tenth, give or take a fifth of it", x.Recorded, x.Issues)
	}
	if span := part.To - part.From; x.Cycles < span*9/100 || x.Cycles > span*11/100 {
		t.Errorf("%d of %d cycles recorded, want a tenth", x.Cycles, span)
	}
	if len(part.Instructions) != len(whole.Instructions) {
		t.Errorf("%d instructions in the windows, %d in all", len(part.Instructions), len(whole.Instructions))
	}
	wait := func(p *timeline.ProfileReport) float64 {
		waits, issues := uint64(0), uint64(0)
		for _, in := range p.Instructions {
			waits, issues = waits+in.BankWait, issues+in.Issues
		}
		return float64(waits) / float64(issues)
	}
	if a, b := wait(part), wait(whole); math.Abs(a-b) > b/20 {
		t.Errorf("a wait of %v cycles per instruction in the windows, %v in all", a, b)
	}
}

// With a log the recorder follows all operations, and the profile counts those of its windows.
func TestASampledProfileDoesNotDependOnWhatElseIsRecorded(t *testing.T) {
	alone, _ := sampledProfile(t, 3, nil, mixed, 40, 256)
	logged, _ := sampledProfile(t, 3, timeline.NewKonata(io.Discard), mixed, 40, 256)
	if d := cmp.Diff(alone.Share, logged.Share); d != "" || alone.Share.Recorded == 0 {
		t.Errorf("recorded (-alone +with a log):\n%s", d)
	}
	if d := cmp.Diff(alone.BankWaits, logged.BankWaits); d != "" {
		t.Errorf("waits (-alone +with a log):\n%s", d)
	}
}
