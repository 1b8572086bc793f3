package claims

import (
	"fmt"
	"slices"
	"strings"
	"text/template"

	_ "kumiko/lab/energy" // functions used by claims
	"kumiko/study/query"
)

// Outcome is a claim with its measurement and verdict.
type Outcome struct {
	ID      string  `json:"id"`
	Paper   string  `json:"paper"`
	Kind    string  `json:"kind"`
	Theirs  string  `json:"theirs"`
	Ours    string  `json:"ours"`
	Verdict Verdict `json:"verdict"`
	Why     string  `json:"why"`
	// Counted: the claim can fail, and is not another reading of a claim. Claims with one Equation are counted
	// once.
	Counted bool `json:"counted"`
	// Null: the claim would pass with the baseline in the place of every design.
	Null bool `json:"null_passes"`
	// Cause is the kind of the cause, and Experiment its experiment, if the claim
	// falls short; empty if no experiment has shown a cause.
	Cause      string `json:"cause"`
	Experiment string `json:"experiment"`

	Claim *Claim `json:"-"`
	// Because is the cause, or nil, and Shown the result of its experiment.
	Because *Cause `json:"-"`
	Shown   string `json:"-"`
	// Fixed: no variant with a baseline takes part in the measure, so no
	// design can change the outcome.
	Fixed bool `json:"-"`
}

// Short reports whether a verdict falls short of the claim, and so needs
// a cause.
func (v Verdict) Short() bool { return v == Direction || v == Contradicted || v == Unresolved }

// Evaluate judges every claim. q is nil when the study has not
// been run at all.
func (f *File) Evaluate(q *query.Query) []Outcome {
	out := make([]Outcome, len(f.Claims))
	var swap map[string]string
	shown := map[string]string{} // by the cause's ID
	if q != nil {
		swap = q.Data().Spec.Roots()
	}
	for i := range f.Claims {
		c, o := &f.Claims[i], &out[i]
		*o = c.evaluate(q, c.Measure, query.At{})
		o.Paper = f.Paper
		o.Counted = c.CannotFail == "" && c.Reading == ""
		switch o.Verdict {
		case NotTestable:
			continue
		case NotRun:
			if q == nil {
				o.Why = fmt.Sprintf("study %s has not been run", f.Study)
			}
			continue
		}
		o.against(c.null(q, swap))
		f.because(o)
		if b := o.Because; b != nil {
			if _, ok := shown[b.ID]; !ok {
				shown[b.ID] = strings.TrimSpace(b.Found(q) + " " + b.foundPublished(f.published))
			}
			o.Shown = shown[b.ID]
		}
	}
	return out
}

// null evaluates the claim with the baseline in the place of every variant. A claim over
// access streams has an expression of its own for the baseline.
func (c *Claim) null(q *query.Query, swap map[string]string) Outcome {
	if len(c.Null) > 0 {
		o := c.evaluate(q, c.Null, query.At{})
		o.Fixed = false
		return o
	}
	return c.evaluate(q, c.Measure, query.At{Swap: swap})
}

// against compares the outcome with the outcome of the null design. A partly holding trend is
// contradicted if it also passes without the designs.
func (o *Outcome) against(null Outcome) {
	o.Fixed, o.Null = null.Fixed, null.Verdict.Passes()
	if o.Kind == KindTrend && o.Verdict == Direction && o.Null && !o.Fixed {
		o.Verdict = Contradicted
		o.Why = "it would pass with the baseline in the place of every design; " + o.Why
	}
	switch {
	case o.Claim.Reading != "":
		o.Why = "another reading of " + o.Claim.Reading + ", which is counted; " + o.Why
	case !o.Counted:
		o.Why = "it cannot fail (" + o.Claim.CannotFail + ") and is not counted; " + o.Why
	}
}

// because sets the reason why a claim falls short.
func (f *File) because(o *Outcome) {
	switch {
	case !o.Verdict.Short() || !o.Counted:
		return
	case o.Verdict == Unresolved:
		o.Because = f.noise()
	default:
		o.Because = f.cause(o.Claim.Cause)
	}
	if o.Because != nil {
		o.Cause, o.Experiment = o.Because.Kind, o.Because.Experiment(f.Study)
	}
}

// unmeasured begins the reason of a claim with an invalid expression.
const unmeasured = "it cannot be measured: "

// evaluate measures a claim by some expressions and judges it.
func (c *Claim) evaluate(q *query.Query, measure []string, at query.At) Outcome {
	o := Outcome{ID: c.ID, Kind: c.Kind, Theirs: c.Theirs, Claim: c, Ours: "-"}
	if c.Untestable != "" {
		o.Verdict, o.Why = NotTestable, c.Untestable
		return o
	}
	if q == nil {
		o.Verdict = NotRun
		return o
	}
	m, err := sample(q, measure, at)
	switch {
	case err != nil:
		o.Verdict, o.Why = NotRun, unmeasured+err.Error()
		return o
	case len(m.missing) > 0:
		o.Verdict, o.Why = NotRun, "missing: "+query.Brief(m.missing, 4)
		return o
	}
	o.Fixed = !m.swapped
	verdict, text := Judge(c.Kind, &c.Expect, m.samples)
	o.Ours = c.ours(m)
	o.Verdict, o.Why = verdict, text
	if c.Calibrated != "" {
		o.Verdict, o.Why = Calibrated, fmt.Sprintf("%s was fitted to it; by itself the verdict would be %s (%s)",
			c.Calibrated, verdict, text)
	}
	for _, p := range m.present {
		o.Why += fmt.Sprintf("; over %d of %d benchmarks", p.Have, p.Of)
	}
	if more := c.explain(m, verdict); more != "" {
		o.Why += ". " + more
	}
	if len(c.Deviations) > 0 {
		o.Why += " (" + strings.Join(c.Deviations, ", ") + ")"
	}
	return o
}

// measured has the values of a claim's expressions.
type measured struct {
	samples [][]any // the first without perturbation
	missing []string
	present []query.Present
	swapped bool // a variant with another in its place took part
}

// sample evaluates expressions, without and with perturbations. Lists are laid
// out flat.
func sample(q *query.Query, measure []string, at query.At) (*measured, error) {
	m := &measured{}
	perturbed := false
	one := func(k int) (row []any, whole bool, err error) {
		at.Perturb = k
		whole = true
		for _, code := range measure {
			v, err := q.Eval(code, at)
			if err != nil {
				return nil, false, err
			}
			perturbed = perturbed || v.Runs
			if v.NotRun() {
				whole = false
			}
			if k == 0 {
				m.missing = append(m.missing, v.Missing...)
				m.swapped = m.swapped || v.Swapped
				for _, p := range v.Present {
					if !slices.Contains(m.present, p) {
						m.present = append(m.present, p)
					}
				}
			}
			row = append(row, flat(v.V)...)
		}
		return row, whole, nil
	}
	for k := 0; k <= q.Data().Perturbations(); k++ {
		row, whole, err := one(k)
		switch {
		case err != nil:
			return nil, err
		case whole:
			m.samples = append(m.samples, row)
		case k == 0:
			slices.Sort(m.missing)
			m.missing = slices.Compact(m.missing)
			return m, nil
		}
		if !perturbed {
			break
		}
	}
	return m, nil
}

func flat(v any) []any {
	list, ok := v.([]any)
	if !ok {
		return []any{v}
	}
	var out []any
	for _, x := range list {
		out = append(out, flat(x)...)
	}
	return out
}

// ours formats the measured values.
func (c *Claim) ours(m *measured) string {
	var out []string
	named := len(c.Parts) == len(m.samples[0])
	for i, v := range m.samples[0] {
		text := fmt.Sprint(v)
		switch v := v.(type) {
		case float64:
			text = c.Expect.show(v)
			if half := m.noise(i); half > 0 {
				text += " ± " + c.Expect.size(half)
			}
		case bool:
			text = map[bool]string{true: "yes", false: "no"}[v]
		}
		if named {
			text = c.Parts[i] + ": " + text
		}
		out = append(out, text)
	}
	if !named {
		return strings.Join(out, ", ")
	}
	return strings.Join(out, "; ")
}

// noise returns half the interval of the i-th number, or 0.
func (m *measured) noise(i int) float64 {
	var sample []float64
	for _, row := range m.samples {
		if f, ok := row[min(i, len(row)-1)].(float64); ok {
			sample = append(sample, f)
		}
	}
	if noise := query.StudentT(sample); noise != nil {
		return noise.Half()
	}
	return 0
}

// Explained is the data of the template of a claim's Why.
type Explained struct {
	Ours    []any // the measured values, flat
	Verdict Verdict
}

var templateFuncs = template.FuncMap{
	"percent": func(v any) string { f, _ := v.(float64); return fmt.Sprintf("%.1f %%", 100*f) },
	"fixed":   func(digits int, v any) string { f, _ := v.(float64); return printedAs(f, digits) },
}

func (c *Claim) explain(m *measured, v Verdict) string {
	if c.Why == "" {
		return ""
	}
	t, err := c.template()
	if err != nil {
		return "why: " + err.Error()
	}
	var b strings.Builder
	if err := t.Execute(&b, Explained{m.samples[0], v}); err != nil {
		return "why: " + err.Error()
	}
	return strings.TrimSpace(b.String())
}
