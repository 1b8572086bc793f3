package claims

import (
	"fmt"
	"math"
	"slices"

	"kumiko/study/query"
)

// Verdict is the judgement of a claim.
type Verdict string

// Verdicts.
const (
	Exact        Verdict = "exact"        // equal as printed
	Within       Verdict = "within"       // same sign, and the size within the tolerance; a trend in full
	Direction    Verdict = "direction"    // the sign or the ordering alone; a part of a trend
	Contradicted Verdict = "contradicted" // neither
	Unresolved   Verdict = "unresolved"   // the effect lies inside its own noise
	Calibrated   Verdict = "calibrated"   // a parameter was fitted to it
	NotRun       Verdict = "not-run"
	NotTestable  Verdict = "not-testable"
)

// Verdicts lists all verdicts in the order of the summary.
var Verdicts = []Verdict{Exact, Within, Direction, Contradicted, Unresolved, Calibrated, NotRun, NotTestable}

// Passes reports whether a verdict counts for the claim.
func (v Verdict) Passes() bool { return v == Exact || v == Within || v == Direction }

// slack is the tolerance for numbers on a boundary, for rounding.
const slack = 1e-9

// Judge returns the verdict on measured values. samples[0] are the values of the plain run, and the others the
// values of perturbed runs. The spread of these is the noise. Each sample has one value per expected value. The
// verdict depends on nothing else.
func Judge(kind string, e *Expect, samples [][]any) (Verdict, string) {
	switch kind {
	case KindTrend:
		return judgeTrend(samples)
	case KindExact:
		return judgeExact(e, samples)
	}
	return judgeNumbers(e, e.targets(), e.Absolute != nil && *e.Absolute, samples)
}

func judgeTrend(samples [][]any) (Verdict, string) {
	first, text := trend(samples[0])
	for _, s := range samples[1:] {
		if v, _ := trend(s); v != first {
			return Unresolved, text + "; under perturbations of the timing it is otherwise"
		}
	}
	return first, text
}

func trend(conditions []any) (Verdict, string) {
	hold := 0
	for _, c := range conditions {
		if c == true {
			hold++
		}
	}
	text := fmt.Sprintf("%d of %d conditions hold", hold, len(conditions))
	switch {
	case hold == len(conditions):
		return Within, text
	case 2*hold > len(conditions):
		return Direction, text
	}
	return Contradicted, text
}

func judgeExact(e *Expect, samples [][]any) (Verdict, string) {
	ours := samples[0]
	if len(ours) != len(e.Printed) {
		return Contradicted, fmt.Sprintf("%d values, expected %d", len(ours), len(e.Printed))
	}
	equal, numbers := true, true
	absolute := e.Absolute == nil || *e.Absolute
	var targets []target
	for i, printed := range e.Printed {
		f, isNumber := ours[i].(float64)
		value, digits, ok := parsePrinted(printed)
		if !ok || !isNumber {
			numbers = false
			equal = equal && fmt.Sprint(ours[i]) == printed
			continue
		}
		equal = equal && printedAs(f, digits) == printedAs(value, digits)
		targets = append(targets, e.target(equals, value, value, absolute))
	}
	switch {
	case equal:
		return Exact, "equal as printed"
	case !numbers:
		return Contradicted, "not equal"
	}
	v, text := judgeNumbers(e, targets, absolute, samples)
	return v, "not equal as printed; " + text
}

// judgeNumbers compares numbers one by one. Of several, all have to be within
// the tolerance; for the direction, all signs have to be right, or the ordering
// where the numbers have one.
func judgeNumbers(e *Expect, targets []target, absolute bool, samples [][]any) (Verdict, string) {
	numbers, ok := columns(samples, len(targets))
	if !ok {
		return Contradicted, fmt.Sprintf("gives %v, expected %d numbers", samples[0], len(targets))
	}
	var text string
	var worst Verdict // verdict of the reported reason
	var all []Verdict
	for i, t := range targets {
		v, why := t.judge(e, numbers[i], absolute)
		all = append(all, v)
		if len(targets) > 1 {
			why = fmt.Sprintf("number %d %s", i+1, why)
		}
		if i == 0 || v == Contradicted && worst != Contradicted || v != Within && worst == Within {
			worst, text = v, why
		}
	}
	switch {
	case !slices.ContainsFunc(all, func(v Verdict) bool { return v != Within }):
		return Within, allWithin(text, len(targets))
	case e.Ordered && sameOrder(targets, numbers):
		return Direction, text + "; the ordering is right"
	case slices.Contains(all, Contradicted):
		return Contradicted, text
	case slices.Contains(all, Unresolved):
		return Unresolved, text
	}
	return Direction, text
}

// allWithin describes several numbers within their tolerances.
func allWithin(first string, n int) string {
	if n > 1 {
		return fmt.Sprintf("all %d numbers are within their tolerances", n)
	}
	return first
}

// columns returns the samples of each number.
func columns(samples [][]any, n int) ([][]float64, bool) {
	out := make([][]float64, n)
	for _, s := range samples {
		if len(s) != n {
			return nil, false
		}
		for i, v := range s {
			f, ok := v.(float64)
			if !ok {
				return nil, false
			}
			out[i] = append(out[i], f)
		}
	}
	return out, true
}

// sameOrder reports whether numbers different in the paper are in the same order
// here. Numbers all equal in the paper have no order.
func sameOrder(targets []target, numbers [][]float64) bool {
	pairs := 0
	for i := range targets {
		for j := range targets {
			if targets[i].low < targets[j].low {
				pairs++
				if !(numbers[i][0] < numbers[j][0]) {
					return false
				}
			}
		}
	}
	return pairs > 0
}

// form is how a number is stated.
type form int

const (
	equals  form = iota // about the value
	between             // from low to high
	atLeast             // low or more
	atMost              // high or less
	none                // no effect
)

// target is one number of the paper.
type target struct {
	form      form
	low, high float64
	// small: an effect of less than a percentage point. It counts as none.
	small bool
}

// target returns an expected number, relative to the value of no effect.
func (e *Expect) target(f form, low, high float64, absolute bool) target {
	t := target{form: f, low: low - e.From, high: high - e.From}
	t.small = !absolute && (f == equals || f == between) && max(math.Abs(t.low), math.Abs(t.high)) < e.point()-slack
	return t
}

// targets returns the expected numbers.
func (e *Expect) targets() []target {
	absolute := e.Absolute != nil && *e.Absolute
	at := func(f form, low, high float64) target { return e.target(f, low, high, absolute) }
	switch {
	case e.None:
		return []target{{form: none}}
	case e.Value != nil:
		return []target{at(equals, *e.Value, *e.Value)}
	case e.UpTo != nil:
		return []target{at(equals, *e.UpTo, *e.UpTo)}
	case e.Low != nil:
		return []target{at(between, *e.Low, *e.High)}
	case e.AtLeast != nil:
		return []target{at(atLeast, *e.AtLeast, *e.AtLeast)}
	case e.AtMost != nil:
		return []target{at(atMost, *e.AtMost, *e.AtMost)}
	}
	var out []target
	for _, v := range e.Values {
		t := at(equals, v, v)
		if t.low == 0 && e.point() > 0 {
			t.form = none
		}
		out = append(out, t)
	}
	return out
}

// off returns an effect's distance from the stated range, and the nearest number of the
// paper.
func (t target) off(effect float64) (distance, nearest float64) {
	switch {
	case t.form == none || t.small && math.Abs(effect) < max(t.low-effect, effect-t.high):
		return math.Abs(effect), 0
	case t.form != atMost && effect < t.low:
		return t.low - effect, t.low
	case t.form != atLeast && effect > t.high:
		return effect - t.high, t.high
	case math.Abs(effect-t.low) < math.Abs(effect-t.high):
		return 0, t.low
	}
	return 0, t.high
}

// sign returns the direction stated by the paper: 1, -1, or 0 for none.
func (t target) sign() int {
	switch {
	case t.form == none || t.form == atMost || t.small:
		return 0
	case t.low > 0 && t.high > 0:
		return 1
	case t.low < 0 && t.high < 0:
		return -1
	}
	return 0
}

// judge compares one number.
func (t target) judge(e *Expect, sample []float64, absolute bool) (Verdict, string) {
	effect := sample[0] - e.From
	distance, nearest := t.off(effect)
	tolerance := max(0.25*math.Abs(nearest), e.point())
	if noise := query.StudentT(sample); noise != nil {
		switch {
		case absolute || t.sign() == 0:
			if noise.Half() > tolerance+slack {
				return Unresolved, fmt.Sprintf("has noise of ± %s, above the tolerance of %s", e.size(noise.Half()),
					e.size(tolerance))
			}
		case noise.Holds(e.From):
			return Unresolved, fmt.Sprintf("lies in its own noise, %s to %s", e.show(noise.Low), e.show(noise.High))
		}
	}
	text := fmt.Sprintf("is off by %s, tolerance %s", e.size(distance), e.size(tolerance))
	if distance == 0 && (t.form == between || t.form == atLeast || t.form == atMost) {
		text = "is as stated"
	}
	signed := !absolute && t.sign() != 0
	same := t.sign() == sign(effect)
	switch {
	case signed && effect == 0:
		return Contradicted, "is no effect"
	case signed && !same:
		return Contradicted, "has another sign"
	case distance <= tolerance+slack:
		return Within, text
	case signed:
		return Direction, text
	}
	return Contradicted, text
}

func sign(x float64) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}
