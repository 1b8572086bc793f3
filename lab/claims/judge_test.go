package claims

import (
	"strings"
	"testing"
)

func p(x float64) *float64 { return &x }

func row(v ...any) [][]any { return [][]any{v} }

type judgeCase struct {
	name    string
	kind    string
	e       Expect
	samples [][]any
	want    Verdict
}

func effect(v float64) Expect { return Expect{Value: p(v), Unit: "effect"} }

var yes, no = true, false

// The tolerance of an effect of +11 % is 2.75 points, and of an effect of -1 % one point.
var judgeCases = []judgeCase{
	{"the same number", KindMagnitude, effect(0.11), row(0.11), Within},
	{"a quarter above", KindMagnitude, effect(0.11), row(0.1375), Within},
	{"just more than a quarter above", KindMagnitude, effect(0.11), row(0.1376), Direction},
	{"a quarter below", KindMagnitude, effect(0.11), row(0.0825), Within},
	{"just more than a quarter below", KindMagnitude, effect(0.11), row(0.0824), Direction},
	{"ten times as much", KindMagnitude, effect(0.11), row(1.1), Direction},
	{"the other sign", KindMagnitude, effect(0.11), row(-0.001), Contradicted},
	{"nothing where something is expected", KindMagnitude, effect(0.11), row(0.0), Contradicted},
	{"a point from a small effect", KindMagnitude, effect(-0.01), row(-0.02), Within},
	{"more than a point from a small effect", KindMagnitude, effect(-0.01), row(-0.0201), Direction},
	{"less than a point is no effect, whatever the sign", KindMagnitude, effect(0.005), row(-0.001), Within},
	{"the same, within a point of 0", KindMagnitude, effect(0.0008), row(-0.0095), Within},
	{"the same, within a point of the number", KindMagnitude, effect(0.0084), row(0.0184), Within},
	{"the same, beyond both", KindMagnitude, effect(0.0084), row(0.0185), Contradicted},
	{"a point is an effect", KindMagnitude, effect(0.01), row(-0.0001), Contradicted},
	{"less than a point in a range", KindMagnitude, Expect{Low: p(-0.005), High: p(-0.002), Unit: "effect"},
		row(0.003), Within},
	{"less than a point of a factor", KindMagnitude, Expect{Value: p(0.995), Unit: "factor", From: 1}, row(1.004),
		Within},
	{"less than a point as printed", KindExact, Expect{Printed: []string{"0.7"}, Unit: "percent", Absolute: &no},
		row(-0.5), Within},
	{"less than a point, absolute", KindMagnitude, Expect{Value: p(0.009), Unit: "share", Absolute: &yes}, row(0.02),
		Contradicted},
	{"points are of no use for cycles", KindMagnitude, Expect{Value: p(100), Unit: "cycles", Absolute: &yes},
		row(126.0), Contradicted},
	{"a quarter of cycles", KindMagnitude, Expect{Value: p(100), Unit: "cycles", Absolute: &yes}, row(125.0), Within},

	// A factor 0.76 is an effect of -0.24: the tolerance is 0.06.
	{"a factor", KindMagnitude, Expect{Value: p(0.76), Unit: "factor", From: 1}, row(0.82), Within},
	{"a factor off the tolerance", KindMagnitude, Expect{Value: p(0.76), Unit: "factor", From: 1}, row(0.83),
		Direction},
	{"a factor on the other side", KindMagnitude, Expect{Value: p(0.76), Unit: "factor", From: 1}, row(1.01),
		Contradicted},

	// 35 to 75 %: 25 % of the ends are 8.75 and 18.75 points.
	{"in the range", KindMagnitude, Expect{Low: p(0.35), High: p(0.75), Unit: "share"}, row(0.5), Within},
	{"below the range by its tolerance", KindMagnitude, Expect{Low: p(0.35), High: p(0.75), Unit: "share"}, row(0.2625),
		Within},
	{"below the range", KindMagnitude, Expect{Low: p(0.35), High: p(0.75), Unit: "share"}, row(0.26), Direction},
	{"above the range by its tolerance", KindMagnitude, Expect{Low: p(0.35), High: p(0.75), Unit: "share"}, row(0.9375),
		Within},
	{"above the range", KindMagnitude, Expect{Low: p(0.35), High: p(0.75), Unit: "share"}, row(0.94), Direction},
	{"a range of reductions", KindMagnitude, Expect{Low: p(-0.4), High: p(-0.2), Unit: "effect"}, row(-0.3), Within},
	{"a range of reductions, increased", KindMagnitude, Expect{Low: p(-0.4), High: p(-0.2), Unit: "effect"}, row(0.3),
		Contradicted},

	{"more than at least", KindMagnitude, Expect{AtLeast: p(0.5), Unit: "share"}, row(0.9), Within},
	{"at least, missed by its tolerance", KindMagnitude, Expect{AtLeast: p(0.5), Unit: "share"}, row(0.375), Within},
	{"at least, missed", KindMagnitude, Expect{AtLeast: p(0.5), Unit: "share"}, row(0.37), Direction},
	{"at least, nothing", KindMagnitude, Expect{AtLeast: p(0.5), Unit: "share"}, row(0.0), Contradicted},
	{"less than at most", KindMagnitude, Expect{AtMost: p(0.1), Unit: "effect"}, row(0.0), Within},
	{"at most, missed by its tolerance", KindMagnitude, Expect{AtMost: p(0.1), Unit: "effect"}, row(0.125), Within},
	{"at most, missed", KindMagnitude, Expect{AtMost: p(0.1), Unit: "effect"}, row(0.126), Contradicted},
	{"up to, reached", KindMagnitude, Expect{UpTo: p(0.7), Unit: "share", Absolute: &yes}, row(0.6), Within},
	{"up to, far from reached", KindMagnitude, Expect{UpTo: p(0.7), Unit: "share", Absolute: &yes}, row(0.5),
		Contradicted},
	{"up to, an effect far from reached", KindMagnitude, Expect{UpTo: p(0.7), Unit: "effect"}, row(0.1), Direction},
	{"no effect, one point", KindMagnitude, Expect{None: true, Unit: "effect"}, row(-0.01), Within},
	{"no effect, more than a point", KindMagnitude, Expect{None: true, Unit: "effect"}, row(-0.0101), Contradicted},

	{"all of a list", KindMagnitude, Expect{Values: []float64{0.1, 0.2}, Unit: "effect"}, row(0.11, 0.19), Within},
	{"the signs of a list", KindMagnitude, Expect{Values: []float64{0.2, 0.1}, Unit: "effect"}, row(0.01, 0.5),
		Direction},
	{"one sign of a list without an ordering", KindMagnitude, Expect{Values: []float64{0.1, 0.2}, Unit: "effect"},
		row(-0.1, 0.2), Contradicted},
	{"one sign of a list, and the ordering", KindMagnitude, Expect{Values: []float64{0.1, 0.2}, Unit: "effect",
		Ordered: true}, row(-0.1, 0.2), Direction},
	{"one sign of a list, and not the ordering", KindMagnitude, Expect{Values: []float64{0.2, 0.1}, Unit: "effect",
		Ordered: true}, row(-0.1, 0.2), Contradicted},
	{"the ordering of absolute numbers", KindMagnitude, Expect{Values: []float64{390, 390, 410}, Absolute: &yes,
		Ordered: true}, row(90.0, 80.0, 100.0), Direction},
	{"not the ordering of absolute numbers", KindMagnitude, Expect{Values: []float64{390, 390, 410}, Absolute: &yes,
		Ordered: true}, row(90.0, 110.0, 100.0), Contradicted},
	{"absolute numbers without an ordering", KindMagnitude, Expect{Values: []float64{390, 390}, Absolute: &yes,
		Ordered: true}, row(90.0, 110.0), Contradicted},
	{"fewer numbers than expected", KindMagnitude, Expect{Values: []float64{1, 2}, Unit: "effect"}, row(1.0),
		Contradicted},
	{"a zero in a list is no effect", KindMagnitude, Expect{Values: []float64{0, 0.2}, Unit: "effect"}, row(0.009, 0.2),
		Within},

	{"equal as printed", KindExact, Expect{Printed: []string{"21.3"}}, row(21.33), Exact},
	{"equal but for the last printed digit", KindExact, Expect{Printed: []string{"21.3"}}, row(21.36), Within},
	{"halves are rounded away from zero", KindExact, Expect{Printed: []string{"15.63"}}, row(15.625), Exact},
	{"a whole number", KindExact, Expect{Printed: []string{"273"}, Unit: "bits"}, row(273.0), Exact},
	{"a storage of another size", KindExact, Expect{Printed: []string{"273"}, Unit: "bits"}, row(400.0), Contradicted},
	{"a printed effect, missed by little", KindExact, Expect{Printed: []string{"36"}, Unit: "percent", Absolute: &no},
		row(30.0), Within},
	{"a printed effect, missed by much", KindExact, Expect{Printed: []string{"36"}, Unit: "percent", Absolute: &no},
		row(10.0), Direction},
	{"a printed factor, missed by much", KindExact, Expect{Printed: []string{"0.65"}, Unit: "factor", From: 1,
		Absolute: &no}, row(0.77), Direction},
	{"several as printed", KindExact, Expect{Printed: []string{"5", "2", "3"}}, row(5.0, 2.0, 3.0), Exact},
	{"one of several is not", KindExact, Expect{Printed: []string{"5", "2", "3"}}, row(5.0, 3.0, 3.0), Contradicted},
	{"texts", KindExact, Expect{Printed: []string{"threads", "shared"}}, row("threads", "shared"), Exact},
	{"other texts", KindExact, Expect{Printed: []string{"threads", "shared"}}, row("threads", "ctas"), Contradicted},
	{"thousands are separated", KindExact, Expect{Printed: []string{"5,120"}}, row(5120.0), Exact},

	{"a trend in full", KindTrend, Expect{}, row(true, true), Within},
	{"most of a trend", KindTrend, Expect{}, row(true, false, true), Direction},
	{"half of a trend", KindTrend, Expect{}, row(true, false), Contradicted},
	{"the lesser part of a trend", KindTrend, Expect{}, row(true, false, false), Contradicted},
	{"no trend", KindTrend, Expect{}, row(false), Contradicted},

	// Of 0.10, 0.11, 0.12 the interval is 0.11 ± 0.0248; of -0.1, 0, 0.15 it is 0.017 ± 0.31.
	{"out of the noise", KindMagnitude, effect(0.11), [][]any{{0.10}, {0.11}, {0.12}}, Within},
	{"in the noise", KindMagnitude, effect(0.11), [][]any{{0.15}, {-0.1}, {0.0}}, Unresolved},
	{"no effect, quietly", KindMagnitude, Expect{None: true, Unit: "effect"}, [][]any{{0.001}, {0.0}, {0.002}}, Within},
	{"no effect, but the noise is above the tolerance", KindMagnitude, Expect{None: true, Unit: "effect"},
		[][]any{{0.001}, {-0.05}, {0.05}}, Unresolved},
	{"no effect in the paper, but the noise is above a point", KindMagnitude, effect(0.005),
		[][]any{{0.001}, {-0.05}, {0.05}}, Unresolved},
	{"an absolute number in the noise", KindMagnitude, Expect{Value: p(100), Unit: "cycles", Absolute: &yes},
		[][]any{{100.0}, {10.0}, {190.0}}, Unresolved},
	{"a trend that perturbations turn", KindTrend, Expect{}, [][]any{{true}, {true}, {false}}, Unresolved},
	{"a trend that they do not turn", KindTrend, Expect{}, [][]any{{true}, {true}, {true}}, Within},
}

func TestVerdicts(t *testing.T) {
	for _, c := range judgeCases {
		t.Run(c.name, func(t *testing.T) {
			if got, why := Judge(c.kind, &c.e, c.samples); got != c.want {
				t.Errorf("%s (%s), want %s", got, why, c.want)
			}
		})
	}
}

func TestTheReasonIsOfTheFirstFailingNumber(t *testing.T) {
	e := Expect{Values: []float64{0.1, 0.1, 0.1, 0.1}, Unit: "effect"}
	for _, c := range []struct {
		ours [][]any
		want string
	}{
		{row(0.1, 0.5, 0.1, 0.6), "number 2 is off by 40.00 points"},
		{row(0.1, 0.5, -0.1, 0.0), "number 3 has another sign"},
		{row(0.1, 0.1, 0.1, 0.0), "number 4 is no effect"},
		{row(0.1, 0.1, 0.1, 0.1), "all 4 numbers are within their tolerances"},
	} {
		if _, why := Judge(KindMagnitude, &e, c.ours); !strings.HasPrefix(why, c.want) {
			t.Errorf("%v: %q, want %q", c.ours, why, c.want)
		}
	}
}
