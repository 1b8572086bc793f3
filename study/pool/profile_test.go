package pool

import (
	"strings"
	"testing"

	"kumiko/gpus/result"
)

const profiledText = `name = "profiled"
size = "test"
set = ["slice.sms=1"]
profile = true
[groups]
a = ["vecadd"]
[[variant]]
name = "base"
gpu = "gtx980"
`

func TestARunWithoutPerturbationHasItsOperandWaitsIfTheStudyProfiles(t *testing.T) {
	s := parse(t, profiledText)
	dir := t.TempDir()
	p := pool(t, s, dir)
	points := s.Points(1)
	if out := run(t, p, points); out.Done != 2 {
		t.Fatalf("%d points done, want 2: %v", out.Done, out.Failed)
	}
	var found []*result.Result
	for i := range points {
		r, err := p.keys.Stored(p.Store, &points[i])
		if err != nil || r == nil {
			t.Fatalf("%v: no record: %v", points[i], err)
		}
		found = append(found, r.Result)
	}
	w := found[0].Waits
	if w == nil || len(w.Instructions) == 0 || w.PerIssue()["operands, for the crossbar"] == 0 {
		t.Fatalf("found %+v, want instructions with waits", w)
	}
	if n := found[0].Total.WarpInstructions; w.Issues() != n {
		t.Errorf("%d issues in the profile, want all %d of the one SM", w.Issues(), n)
	}
	if found[1].Waits != nil {
		t.Error("the perturbed run has a profile")
	}
	plain := parse(t, strings.Replace(profiledText, "profile = true\n", "", 1))
	q := pool(t, plain, dir)
	if out := run(t, q, plain.Points(0)); out.Done != 1 {
		t.Errorf("%d points done, want the run without a profile again, under a key of its own", out.Done)
	}
}
