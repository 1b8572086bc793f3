package claims

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kumiko/study"
	"kumiko/study/query"
)

// empty is a study without records, with some variants and groups.
func empty(t *testing.T, gpu string, variants []string, streams []string, groups map[string]string) *query.Query {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "name = \"t\"\n[groups]\n")
	for g, list := range groups {
		fmt.Fprintf(&b, "%s = [%s]\n", g, list)
	}
	for _, v := range variants {
		fmt.Fprintf(&b, "[[variant]]\nname = %q\ngpu = %q\n", v, gpu)
	}
	for _, v := range streams {
		fmt.Fprintf(&b, "[[stream]]\nname = %q\ngpu = %q\n", v, gpu)
	}
	s, err := study.Parse("t.toml", []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return query.New(study.NewData(s, nil))
}

func load(t *testing.T, paper string) *File {
	t.Helper()
	f, err := Load(paper)
	if err != nil || f == nil {
		t.Fatalf("%s: %v, %v", paper, f, err)
	}
	return f
}

// asksRecords reports whether a measure of the claim has to do with records at all.
// fits asks for the GPU of a variant alone.
func (c *Claim) asksRecords(t *testing.T, q *query.Query) bool {
	t.Helper()
	for _, m := range c.Measure {
		if v, err := q.Eval(m, query.At{}); err != nil || v.NotRun() || v.Variants && !strings.Contains(m, "fits(") {
			return true
		}
	}
	return false
}

// everything evaluates claims without records: mistakes in expressions come to
// light, and nothing has a verdict.
func everything(t *testing.T, f *File, q *query.Query) {
	t.Helper()
	for _, o := range f.Evaluate(q) {
		if o.Verdict != NotRun && o.Verdict != NotTestable && o.Claim.asksRecords(t, q) {
			t.Errorf("%s: without records the verdict is %s", o.ID, o.Verdict)
		}
		if strings.HasPrefix(o.Why, "it cannot be measured") {
			t.Errorf("%s: %s", o.ID, o.Why)
		}
		for _, null := range o.Claim.Null {
			if _, err := q.Eval(null, query.At{}); err != nil {
				t.Errorf("%s: null: %v", o.ID, err)
			}
		}
		if n := len(o.Claim.Null); n > 0 && n != max(len(o.Claim.Measure), len(o.Claim.Parts)) {
			t.Errorf("%s: %d nulls for %d measures", o.ID, n, len(o.Claim.Measure))
		}
	}
}

func TestTheClaimsOfGebhartCanBeMeasured(t *testing.T) {
	variants := []string{"single", "single-rr", "rfc-0", "rfc-6", "alu4-single", "perfect-cache"}
	for _, a := range []string{"2", "4", "6", "8", "16"} {
		variants = append(variants, "two-level-"+a, "two-level-rr-"+a, "alu4-"+a)
	}
	for _, e := range []string{"4", "6", "8"} {
		for _, a := range []string{"4", "6", "8"} {
			variants = append(variants, "rfc-"+e+"-"+a)
		}
	}
	f := load(t, "gebhart")
	if len(f.Claims) != 53 {
		t.Errorf("%d claims, expected 53", len(f.Claims))
	}
	everything(t, f, empty(t, "fermi", variants, []string{"values"}, map[string]string{"all": `"sgemm", "vecadd"`,
		"video": `"sgemm"`, "simulation": `"sgemm"`,
		"image": `"sgemm"`, "hpc": `"sgemm"`, "shader": `"sgemm"`, "compute": `"sgemm"`}))
}

func TestTheClaimsOfSharingCanBeMeasured(t *testing.T) {
	variants := []string{"lrr", "gto", "fetch-group", "lrr-64k", "owf", "sharing-noopt", "sharing-unroll",
		"sharing-unroll-dyn", "sharing-gto", "sharing-literal"}
	for _, p := range []string{"0", "10", "30", "50", "70", "90"} {
		variants = append(variants, "sharing-owf-"+p)
	}
	f := load(t, "sharing")
	if len(f.Claims) != 63+1 {
		t.Errorf("%d claims, expected 63 and one of another reading", len(f.Claims))
	}
	everything(t, f, empty(t, "tesla-c2050", variants, nil, map[string]string{
		"set1": `"backprop", "b+tree", "hotspot.double", "libor", "mum.20k", "mri-q", "sgemm", "stencil"`,
		"set2": `"backprop", "bfs", "gaussian", "lavaMD", "lud", "mri-q", "nn", "sto"`}))
}

// The built-in study of a paper has everything used by the claims.
func TestTheStudiesHaveWhatTheClaimsAskFor(t *testing.T) {
	for _, paper := range Papers {
		f, err := Load(paper)
		if err != nil {
			t.Fatal(err)
		}
		if f == nil || !slices.Contains(study.Names(), f.Study) {
			continue
		}
		s, err := study.Load(f.Study)
		if err != nil {
			t.Errorf("%s: %v", f.Study, err)
			continue
		}
		everything(t, f, query.New(study.NewData(s, nil)))
	}
}

func TestAPaperThatIsNotKnownIsRefused(t *testing.T) {
	if _, err := Load("nobody"); err == nil ||
		!strings.Contains(err.Error(), "expected one of gebhart, sharing, ltrf, finereg, cerf") {
		t.Error(err)
	}
}
