package query

import (
	"testing"

	"kumiko/gpus/result"
	"kumiko/study"
	"kumiko/study/record"
)

// ended has records of two variants on two benchmarks: failed ones with their reasons, and the
// others with a result.
func ended(failed map[string]string) *Query {
	s := parse("name = \"t\"\n[groups]\ntwo = [\"sgemm\", \"fft\"]\n[[variant]]\nname = \"a\"\ngpu = \"gtx980\"\n" +
		"[[variant]]\nname = \"b\"\ngpu = \"gtx980\"\n")
	var records []*record.Record
	for _, v := range []string{"a", "b"} {
		for _, b := range []string{"sgemm", "fft"} {
			r := &record.Record{Point: record.Point{Variant: v, Benchmark: b}, Result: &result.Result{Program: b}}
			switch why, ok := failed[v+" "+b]; {
			case why == "absent":
				continue
			case ok:
				r.Failed, r.Result = why, nil
			}
			records = append(records, r)
		}
	}
	return New(study.NewData(s, records))
}

const everyDeadlock = `deadlocks(["a", "b"], two)`

func TestRunsThatComeToTheirEndAreNoDeadlocks(t *testing.T) {
	want(t, ended(nil), everyDeadlock, At{}, 0.0)
}

func TestADeadlockIsCountedEvenWhereOtherRunsAreMissing(t *testing.T) {
	q := ended(map[string]string{"b fft": "kernel k: deadlock: nothing moves after cycle 7, with 0 of 8 CTAs retired",
		"a fft": "absent"})
	want(t, q, everyDeadlock, At{}, 1.0)
}

func TestADeadlockUnderAPerturbationIsCounted(t *testing.T) {
	q := ended(nil)
	records := []*record.Record{{Point: record.Point{Variant: "a", Benchmark: "sgemm", Perturb: 2},
		Failed: "kernel k: deadlock: nothing moves after cycle 7, with 0 of 8 CTAs retired"}}
	for _, v := range []string{"a", "b"} {
		for _, b := range []string{"sgemm", "fft"} {
			records = append(records, q.Data().Record(v, b, 0))
		}
	}
	want(t, New(study.NewData(q.Data().Spec, records)), everyDeadlock, At{}, 1.0)
}

func TestARunThatFailedForAnotherReasonIsMissing(t *testing.T) {
	v, err := ended(map[string]string{"b fft": "operand check: 1 wrong operands"}).Eval(everyDeadlock, At{})
	if err != nil || !v.NotRun() || len(v.Missing) != 1 || v.Missing[0] != "b on fft (failed)" {
		t.Errorf("%+v, error %v, want b on fft missing", v, err)
	}
}
