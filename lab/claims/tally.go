package claims

import (
	"fmt"
	"slices"
	"strings"
)

// unit is counted as one claim: a claim, or all claims of one equation.
type unit []*Outcome

// units returns the units in the order of the file, without the claims that are not
// counted.
func units(outcomes []Outcome) []unit {
	var out []unit
	at := map[string]int{}
	for i := range outcomes {
		o := &outcomes[i]
		if !o.Counted {
			continue
		}
		k, ok := at[o.Claim.Equation]
		if o.Claim.Equation == "" || !ok {
			at[o.Claim.Equation] = len(out)
			out = append(out, unit{o})
			continue
		}
		out[k] = append(out[k], o)
	}
	return out
}

// worst lists the verdicts, the most damaging first.
var worst = []Verdict{Contradicted, Unresolved, NotRun, NotTestable, Calibrated, Direction, Within, Exact}

// speaks returns the deciding outcome, the most damaging one.
func (u unit) speaks() *Outcome {
	return slices.MinFunc(u, func(a, b *Outcome) int {
		return slices.Index(worst, a.Verdict) - slices.Index(worst, b.Verdict)
	})
}

func (u unit) verdict() Verdict { return u.speaks().Verdict }

// Counts counts the claims by verdict.
func Counts(outcomes []Outcome) map[Verdict]int {
	out := map[Verdict]int{}
	for _, u := range units(outcomes) {
		out[u.verdict()]++
	}
	return out
}

// Summary describes the counts in words.
func Summary(outcomes []Outcome) string {
	n := Counts(outcomes)
	parts := []string{}
	for _, v := range Verdicts {
		if n[v] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n[v], v))
		}
	}
	all := units(outcomes)
	s := fmt.Sprintf("%d claims: %s", len(all), strings.Join(parts, ", "))
	var left []string
	fixed, readings := 0, 0
	for i := range outcomes {
		switch o := &outcomes[i]; {
		case o.Claim.Reading != "":
			readings++
		case !o.Counted:
			fixed++
		}
	}
	if fixed > 0 {
		left = append(left, fmt.Sprintf("%d that cannot fail are not counted", fixed))
	}
	if readings > 0 {
		left = append(left, fmt.Sprintf("%d of other readings are not counted", readings))
	}
	for _, u := range all {
		if len(u) > 1 {
			left = append(left, fmt.Sprintf("%d of %s count as one", len(u), u[0].Claim.Equation))
		}
	}
	if left != nil {
		s += "; " + strings.Join(left, ", ")
	}
	return s
}

// Blames counts the claims falling short by kind of cause. "" counts the claims
// without a cause shown by an experiment.
func Blames(outcomes []Outcome) map[string]int {
	out := map[string]int{}
	for _, u := range units(outcomes) {
		if o := u.speaks(); o.Verdict.Short() {
			out[o.Cause]++
		}
	}
	return out
}

// Described counts the claims falling short without a cause whose difference is described by a deviation.
func Described(outcomes []Outcome) (n int) {
	for _, u := range units(outcomes) {
		if o := u.speaks(); o.Verdict.Short() && o.Cause == "" && len(o.Claim.Deviations) > 0 {
			n++
		}
	}
	return n
}

// CauseSummary describes the counts by cause in words. It is empty if no claim falls
// short.
func CauseSummary(outcomes []Outcome) string {
	n := Blames(outcomes)
	short := 0
	var parts []string
	for _, kind := range append(slices.Clone(CauseKinds), "") {
		short += n[kind]
		switch {
		case n[kind] > 0 && kind == "":
			parts = append(parts, fmt.Sprintf("%d without a cause that an experiment shows", n[kind]))
		case n[kind] > 0:
			parts = append(parts, fmt.Sprintf("%d %s", n[kind], kind))
		}
	}
	if short == 0 {
		return ""
	}
	return fmt.Sprintf("%d fall short, by cause: %s", short, strings.Join(parts, ", "))
}

// Reason is a cause with the result of its experiment and its claims.
type Reason struct {
	*Cause
	Shown, Experiment string
	Claims            []string
}

// Reasons returns the causes of outcomes, each once.
func Reasons(outcomes []Outcome) []Reason {
	var out []Reason
	for i := range outcomes {
		o := &outcomes[i]
		if o.Because == nil {
			continue
		}
		k := slices.IndexFunc(out, func(r Reason) bool { return r.ID == o.Because.ID })
		if k < 0 {
			k = len(out)
			out = append(out, Reason{Cause: o.Because, Shown: o.Shown, Experiment: o.Experiment})
		}
		out[k].Claims = append(out[k].Claims, o.ID)
	}
	return out
}
