package pool

import (
	"math"
	"strings"
	"testing"
)

// vecadd at size small is one launch. A CTA has 256 threads, so 2048
// threads of an SM hold eight.
func TestWavesAreCTAsOverWhatTheMachineOfThePointHolds(t *testing.T) {
	const two = `name = "t"
size = "small"
[groups]
a = ["vecadd"]
[[variant]]
name = "v"
gpu = "gtx980"
set = ["slice.sms=2"]
[[variant]]
name = "half"
gpu = "gtx980"
set = ["slice.sms=2", "sm.threads=1024"]
`
	s := parse(t, two)
	p := pool(t, s, t.TempDir())
	run(t, p, s.Points(0))
	d, _ := found(t, p, p.Spec.Points(0))
	k := d.Run("v", "vecadd", 0).Kernels[0]
	for v, threads := range map[string]int{"v": 2048, "half": 1024} {
		want := float64(k.Grid[0]) / float64(2*threads/k.Block[0])
		if w := d.Record(v, "vecadd", 0).Waves; w == nil || math.Abs(*w-want) > 1e-12 {
			t.Errorf("%s: %v waves, want %v", v, w, want)
		}
	}
}

// How many CTAs FineReg holds depends on the live registers. So the waves of its record are counted by the CTAs held in
// the run, and those of the conventional machine's record by the CTAs that fit.
func TestARecordIsJudgedByTheCTAsThatItHad(t *testing.T) {
	s := parse(t, `name = "t"
size = "small"
set = ["slice.sms=2", "sm.threads=1024", "sm.warps=32", "sm.registers=32768"]
[groups]
a = ["kmeans"]
[[variant]]
name = "plain"
gpu = "gtx980"
[[variant]]
name = "finereg"
gpu = "gtx980"
design = "finereg"
set = ["regfile.finereg.pcrf=512"]
`)
	p := pool(t, s, t.TempDir())
	run(t, p, s.Points(0))
	d, _ := found(t, p, p.Spec.Points(0))
	had := d.Run("finereg", "kmeans", 0).Kernels[0].CTAsResidentMax
	known := d.Run("plain", "kmeans", 0).Kernels[0].CTAsResidentMax
	if had <= known {
		t.Fatalf("FineReg held %d CTAs, the conventional machine %d", had, known)
	}
	a, b := d.Record("plain", "kmeans", 0).Waves, d.Record("finereg", "kmeans", 0).Waves
	if a == nil || b == nil || math.Abs(*a / *b - float64(had)/float64(known)) > 1e-9 {
		t.Errorf("%v waves of the conventional machine, %v of FineReg; want a ratio of %d / %d", a, b, had, known)
	}
}

const short = `name = "t"
size = "test"
waves = 3
[groups]
a = ["bfs", "vecadd"]
[[variant]]
name = "v"
gpu = "gtx980"
set = ["slice.sms=2"]
`

func TestAPointWithTooFewWavesIsRefusedUnlessItIsExempt(t *testing.T) {
	for text, want := range map[string]int{
		short: 2,
		short + "[[waves_exempt]]\nbenchmark = \"bfs\"\nreason = \"its frontiers are small at first\"\n": 1,
		short + "[[waves_exempt]]\nvariants = [\"v\"]\nreason = \"it is small\"\n":                       0,
		short + "[[waves_exempt]]\nbenchmark = \"bfs\"\nvariants = [\"v\"]\nreason = \"it is small\"\n":  1,
		short + "[[waves_exempt]]\nbenchmark = \"bfs\"\nkernel = \"visit\"\nreason = \"its frontiers are small at " +
			"first\"\n": 2,
	} {
		s := parse(t, text)
		p := pool(t, s, t.TempDir())
		out := run(t, p, s.Points(0))
		if len(out.Refused) != want || out.Done != 2-want || len(out.Failed) != 0 {
			t.Errorf("%+v, want %d refused", out, want)
		}
		for _, f := range out.Refused {
			if !strings.Contains(f.Why, "full waves in launch ") || !strings.Contains(f.Why, "expected at least 3") {
				t.Errorf("%s", f.Why)
			}
		}
		if want == 1 {
			if r, err := p.Store.Get(&s.Points(0)[0], mustKey(t, s, &s.Points(0)[0])); err != nil || r.Waves != nil {
				t.Errorf("an exempt point has waves %v, %v", r.Waves, err)
			}
		}
	}
}

// The number of CTAs held by a machine with CTA switching is not known beforehand: its point is
// run, and its record judged.
func TestAPointWhoseCTAsAreSwitchedIsJudgedWhenItHasRun(t *testing.T) {
	s := parse(t, strings.Replace(short, `gpu = "gtx980"`, "gpu = \"gtx980\"\ndesign = \"virtual-thread\"", 1))
	p := pool(t, s, t.TempDir())
	if out := run(t, p, s.Points(0)); out.Done != 2 || len(out.Refused) != 0 {
		t.Errorf("%+v, want two done", out)
	}
	_, c := found(t, p, s.Points(0))
	if len(c.Failed) != 2 || !strings.Contains(c.Failed[0].Why, "full waves, expected at least 3") {
		t.Errorf("collected %+v, want two with too few waves", c)
	}
}
