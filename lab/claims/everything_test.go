package claims

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kumiko/study"
	"kumiko/study/query"
)

// With a made-up record of every point every claim gets a verdict of measurement, and
// none an error.
func TestEveryClaimIsMeasuredWhenEverythingHasRun(t *testing.T) {
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
			t.Fatal(err)
		}
		q := query.Trial(s)
		outcomes := f.Evaluate(q)
		for _, o := range outcomes {
			if o.Verdict == NotRun {
				t.Errorf("%s: %s", o.ID, o.Why)
			}
			if strings.Contains(o.Why, "expected") {
				t.Errorf("%s: %s, %s", o.ID, o.Ours, o.Why)
			}
		}
		null := NullScore(outcomes)
		if null.Of == 0 || null.Passed >= null.Of {
			t.Errorf("%s: %s", paper, null)
		}
		t.Log(fmt.Sprint(paper, ": ", Summary(outcomes), "; ", null))
	}
}
