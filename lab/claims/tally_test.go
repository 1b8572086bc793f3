package claims

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"kumiko/gpus/result"
	"kumiko/study"
	"kumiko/study/query"
	"kumiko/study/record"
)

// measuredBy returns the outcomes of some claims over a study in which rfc has 1.5
// times the IPC of fermi with vecadd, and the same IPC with fft.
func measuredBy(t *testing.T, text string) []Outcome {
	t.Helper()
	f, err := Parse("c.toml", []byte("paper = \"p\"\nstudy = \"quick\"\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	s, err := study.Parse("t.toml", []byte(`
name = "t"
[groups]
two = ["vecadd", "fft"]
[[variant]]
name = "fermi"
gpu = "fermi"
[[variant]]
name = "rfc"
gpu = "fermi"
design = "rfc"
baseline = "fermi"
`))
	if err != nil {
		t.Fatal(err)
	}
	var records []*record.Record
	for _, r := range []struct {
		variant, benchmark string
		ipc                uint64
	}{{"fermi", "vecadd", 2}, {"rfc", "vecadd", 3}, {"fermi", "fft", 4}, {"rfc", "fft", 4}} {
		n := result.Counts{Cycles: 100, ThreadInstructions: 100 * r.ipc}
		x := &result.Result{Program: r.benchmark, Kernels: []result.Kernel{{Name: "k", Counts: n}}}
		x.Finish(0)
		records = append(records, &record.Record{Point: record.Point{Variant: r.variant, Benchmark: r.benchmark},
			Result: x})
	}
	return f.Evaluate(query.New(study.NewData(s, records)))
}

// claim is one of a trend with conditions.
func claim(id, more string, conditions ...string) string {
	return "[[claim]]\nid = \"" + id + "\"\nwhere = \"1\"\ntheirs = \"2\"\nkind = \"trend\"\nmeasure = ['" +
		strings.Join(conditions, "', '") + "']\n" + more + "\n"
}

const (
	gains = `ipc("rfc", "vecadd") > ipc("fermi", "vecadd")` // holds, with the baseline it does not
	keeps = `ipc("rfc", "fft") >= ipc("fermi", "fft")`      // holds, with the baseline too
	loses = `ipc("rfc", "fft") < ipc("fermi", "fft")`       // does not
)

func TestMostOfATrendThatTheBaselineShowsTooIsNoDirection(t *testing.T) {
	out := measuredBy(t, claim("design", "", gains, keeps, loses)+claim("baseline", "", keeps, keeps, loses)+
		claim("whole", "", keeps, keeps))
	if len(out) != 3 {
		t.Fatalf("%d outcomes", len(out))
	}
	if o := out[0]; o.Verdict != Direction || o.Null {
		t.Errorf("a trend of the design: %s, null %v (%s), want direction", o.Verdict, o.Null, o.Why)
	}
	if o := out[1]; o.Verdict != Contradicted || !o.Null {
		t.Errorf("a trend of the baseline: %s, null %v (%s), want contradicted", o.Verdict, o.Null, o.Why)
	}
	if o := out[2]; o.Verdict != Within || !o.Null {
		t.Errorf("a whole trend of the baseline: %s, null %v, want within", o.Verdict, o.Null)
	}
}

func TestATrendInWhichNoDesignTakesPartIsNotComparedWithTheBaseline(t *testing.T) {
	out := measuredBy(t, claim("a", "", `ipc("fermi", "fft") > ipc("fermi", "vecadd")`, `true`, `false`))
	if len(out) != 1 || out[0].Verdict != Direction || !out[0].Null || !out[0].Fixed {
		t.Errorf("%+v, want a direction", out)
	}
}

func TestAVerdictThatTheBaselineHasTooIsMarked(t *testing.T) {
	var b strings.Builder
	out := measuredBy(t, claim("same", "", keeps)+claim("other", "", gains))
	if err := Text(&b, out, NullScore(out)); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.String(), "\n")
	if len(lines) < 3 || !strings.Contains(lines[1], NullMark) || strings.Contains(lines[2], NullMark) {
		t.Errorf("%s", b.String())
	}
}

func TestAClaimThatCannotFailIsShownAndNotCounted(t *testing.T) {
	out := measuredBy(t, claim("fixed", `cannot_fail = "it is a setting"`, "true")+claim("free", "", gains))
	if len(out) != 2 || out[0].Verdict != Within || out[0].Counted || out[0].Marks() != "cannot fail" ||
		!strings.Contains(out[0].Why, "it is a setting") {
		t.Errorf("%+v", out)
	}
	if n := Counts(out); n[Within] != 1 {
		t.Errorf("%v, want one claim", n)
	}
	if n := NullScore(out); n.Of != 1 || n.Ours != 1 || n.Passed != 0 {
		t.Errorf("%+v, want the other claim alone", n)
	}
	if s := Summary(out); s != "1 claims: 1 within; 1 that cannot fail are not counted" {
		t.Error(s)
	}
}

func TestAnotherReadingOfAClaimIsShownAndNotCounted(t *testing.T) {
	out := measuredBy(t, claim("taken", "", gains)+claim("other", `reading = "taken"`, loses))
	if len(out) != 2 || out[1].Verdict != Contradicted || out[1].Counted || out[1].Marks() != "another reading" ||
		!strings.Contains(out[1].Why, "another reading of taken") {
		t.Errorf("%+v", out)
	}
	if s := Summary(out); s != "1 claims: 1 within; 1 of other readings are not counted" {
		t.Error(s)
	}
	if n := NullScore(out); n.Of != 1 {
		t.Errorf("%+v, want one claim", n)
	}
}

func TestClaimsOfOneEquationCountOnceWithTheWorstVerdict(t *testing.T) {
	one := `equation = "e"`
	out := measuredBy(t, claim("a", one, keeps)+claim("b", one, loses)+claim("c", one, keeps)+claim("d", "", gains))
	if n := Counts(out); !maps.Equal(n, map[Verdict]int{Contradicted: 1, Within: 1}) {
		t.Errorf("%v", n)
	}
	if s := Summary(out); s != "2 claims: 1 within, 1 contradicted; 3 of e count as one" {
		t.Error(s)
	}
	if n := NullScore(out); n.Of != 2 || n.Passed != 0 || n.Ours != 1 {
		t.Errorf("%+v", n)
	}
}

func TestClaimsOfOneEquationPassTheNullTogether(t *testing.T) {
	one := `equation = "e"`
	out := measuredBy(t, claim("a", one, keeps)+claim("b", one, keeps)+claim("c", "", gains))
	if n := NullScore(out); n.Passed != 1 || !slices.Equal(n.IDs, []string{"a"}) {
		t.Errorf("%+v", n)
	}
}

func TestTheClaimsThatTheFilesSayCannotFail(t *testing.T) {
	for paper, want := range map[string]string{
		"gebhart": "geb-chip geb-rfc24k geb-factor4 geb-fig11-size geb-power geb-tab2-sym geb-wire",
		"sharing": "rs-effective", "ltrf": "ltrf-gp100 ltrf-tab3-regs ltrf-banks",
		"finereg": "finereg-rename44 finereg-status-bits finereg-livevec-mem finereg-um finereg-threads",
		"cerf":    "cerf-sets cerf-base cerf-l2"} {
		var got []string
		for _, c := range load(t, paper).Claims {
			if c.CannotFail != "" {
				got = append(got, c.ID)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", paper, got, want)
		}
	}
}

func TestElevenClaimsOfSharingAreOfOneEquation(t *testing.T) {
	n := 0
	for _, c := range load(t, "sharing").Claims {
		if c.Equation == "equation 4" {
			n++
		}
	}
	if n != 11 {
		t.Errorf("%d claims, want 11", n)
	}
}

// A study of register sharing with one run stopped.
func TestADeadlockContradictsThatThereIsNone(t *testing.T) {
	f := load(t, "sharing")
	s, err := study.Load(f.Study)
	if err != nil {
		t.Fatal(err)
	}
	stopped := &record.Record{Point: record.Point{Variant: "sharing-noopt", Benchmark: "stencil"},
		Failed: "kernel block2D: deadlock: nothing moves after cycle 9, with 1 of 3 CTAs retired"}
	for _, o := range f.Evaluate(query.New(study.NewData(s, []*record.Record{stopped}))) {
		if o.ID == "rs-deadlock" {
			if o.Verdict != Contradicted {
				t.Errorf("%s (%s), want contradicted", o.Verdict, o.Why)
			}
			return
		}
	}
	t.Error("there is no claim rs-deadlock")
}

func TestAClaimThatFallsShortWithADeviationAndNoCauseIsDescribed(t *testing.T) {
	fails := `ipc("rfc", "fft") > ipc("fermi", "fft")`
	out := measuredBy(t, claim("a", `deviations = ["programs"]`, fails)+claim("b", "", fails)+
		claim("c", `deviations = ["programs"]`, gains))
	if n := Described(out); n != 1 {
		t.Errorf("%d described, want 1", n)
	}
}
