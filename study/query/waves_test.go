package query

import (
	"strings"
	"testing"

	"kumiko/gpus/result"
	"kumiko/study"
	"kumiko/study/record"
)

// filledBy is a study of one point with so many waves, or nil.
func filledBy(waves *float64) *Query {
	s := parse("name = \"t\"\n[groups]\none = [\"sgemm\"]\n[[variant]]\nname = \"a\"\ngpu = \"gtx980\"\n" +
		"[[variant]]\nname = \"b\"\ngpu = \"gtx980\"\n")
	r := &record.Record{Point: record.Point{Variant: "a", Benchmark: "sgemm"}, Waves: waves,
		Result: &result.Result{Program: "sgemm"}}
	return New(study.NewData(s, []*record.Record{r}))
}

func TestWavesAreThoseOfTheRecord(t *testing.T) {
	n := 10.75
	q := filledBy(&n)
	want(t, q, `waves("a", "sgemm")`, At{}, 10.75)
	want(t, q, `ceil(waves("a", "sgemm")) / waves("a", "sgemm")`, At{}, 11/10.75)
	if v, err := q.Eval(`waves("b", "sgemm")`, At{}); err != nil || !v.NotRun() {
		t.Errorf("%+v, %v, want what has not been run", v, err)
	}
}

func TestARecordWithoutWavesHasNone(t *testing.T) {
	if _, err := filledBy(nil).Eval(`waves("a", "sgemm")`, At{}); err == nil ||
		!strings.Contains(err.Error(), "has no number of waves") {
		t.Error(err)
	}
}
