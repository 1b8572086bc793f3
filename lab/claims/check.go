package claims

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"kumiko/internal/tomldoc"
	"kumiko/lab/deviations"
	"kumiko/study"
	"kumiko/study/query"
)

// mistake is an error in a claim and its key: a dotted
// path beginning with a dot, or empty for the claim as a whole.
type mistake struct{ key, text string }

func wrong(key, format string, args ...any) []mistake {
	return []mistake{{key, fmt.Sprintf(format, args...)}}
}

// check returns the errors of an incomplete or contradictory claim. File.Check checks the values of its
// expressions.
func (c *Claim) check() []mistake {
	var list []mistake
	for _, id := range c.Deviations {
		if err := deviations.Unknown(id); err != nil {
			list = append(list, mistake{".deviations", err.Error()})
		}
	}
	if _, err := c.template(); err != nil {
		list = append(list, mistake{".why", "why: " + err.Error()})
	}
	switch {
	case c.ID == "" || c.Where == "" || c.Theirs == "":
		return append(list, wrong("", "id, where and theirs are to be given")...)
	case !slices.Contains([]string{KindExact, KindMagnitude, KindTrend}, c.Kind):
		return append(list, wrong(".kind", "kind: found %q, expected exact, magnitude or trend", c.Kind)...)
	case c.Untestable != "" && len(c.Measure)+len(c.Null)+len(c.Parts) > 0:
		return append(list, wrong(".untestable",
			"untestable: found together with what is measured, expected one of them")...)
	case c.Untestable != "":
		return list
	case len(c.Measure) == 0:
		return append(list, wrong("", "neither measure nor untestable is given")...)
	case slices.ContainsFunc(append(slices.Clone(c.Measure), c.Null...),
		func(m string) bool { return strings.TrimSpace(m) == "" }):
		return append(list, wrong(".measure", "found an empty expression")...)
	}
	return append(list, c.Expect.check(c.Kind)...)
}

func (e *Expect) check(kind string) []mistake {
	var given []string
	for _, x := range []struct {
		name string
		is   bool
	}{{"value", e.Value != nil}, {"values", e.Values != nil}, {"low", e.Low != nil || e.High != nil},
		{"at_least", e.AtLeast != nil}, {"at_most", e.AtMost != nil},
		{"up_to", e.UpTo != nil}, {"none", e.None}, {"printed", e.Printed != nil}} {
		if x.is {
			given = append(given, x.name)
		}
	}
	const at = ".expect"
	switch {
	case kind == KindTrend && len(given) > 0:
		return wrong(at, "expect: a trend's conditions are its measures; expected nothing here")
	case kind == KindTrend && (e.Unit != "" || e.From != 0 || e.Absolute != nil || e.Ordered):
		return wrong(at, "expect: unit, from, absolute and ordered are of numbers; expected nothing for a trend's "+
			"conditions")
	case kind == KindTrend:
		return nil
	case (e.Low == nil) != (e.High == nil):
		return wrong(at, "expect: low and high belong together")
	case len(given) != 1:
		return wrong(at, "expect: found %d of value, values, low with high, at_least, at_most, up_to, none, printed; "+
			"expected one", len(given))
	case kind == KindExact && e.Printed == nil:
		return wrong(at, "expect: an exact claim needs printed")
	case kind == KindMagnitude && e.Printed != nil:
		return wrong(at+".printed", "expect: printed is for exact claims")
	case len(e.Values) == 0 && e.Values != nil, len(e.Printed) == 0 && e.Printed != nil:
		return wrong(at, "expect: found an empty list of numbers")
	case e.None && e.point() == 0:
		return wrong(at, "expect: none needs one of the units effect, share, factor, percent")
	case e.Ordered && len(e.Values)+len(e.Printed) < 2:
		return wrong(at, "expect: ordered needs several numbers")
	case e.Low != nil && *e.Low > *e.High:
		return wrong(at+".low", "expect: low %v is above high %v", *e.Low, *e.High)
	}
	return nil
}

// point returns one percentage point in the unit, or 0 if the unit has none.
func (e *Expect) point() float64 {
	switch e.Unit {
	case "effect", "share", "factor":
		return 0.01
	case "percent":
		return 1
	}
	return 0
}

// Check lists, as *tomldoc.Error, the errors in the expressions of the
// claims: names unknown to the study s, and values of another kind or
// number than expected.
func (f *File) Check(s *study.Spec) []error {
	q := query.Trial(s)
	errs := f.checkDefinitions(q)
	if len(errs) > 0 {
		return errs
	}
	for i := range f.Claims {
		if c := &f.Claims[i]; c.Untestable == "" {
			errs = append(errs, f.checkClaim(q, i)...)
		}
	}
	return append(errs, f.tryCauses(s, q)...)
}

func (f *File) checkDefinitions(q *query.Query) []error {
	var errs []error
	for i := range f.doc.Entries {
		e := &f.doc.Entries[i]
		if len(e.Key) != 2 || e.Key[0] != "define" {
			continue
		}
		code := []string{f.Define[e.Key[1]]}
		before := f.expand(code)[0]
		if err := q.Check(code[0]); err != nil {
			errs = append(errs, f.inExpression(e.Val, before, "define "+e.Key[1], err))
		}
	}
	return errs
}

// checkClaim tries the expressions of a claim.
func (f *File) checkClaim(q *query.Query, i int) []error {
	c, path := &f.Claims[i], fmt.Sprintf("claim.%d", i)
	what := "claim " + c.ID
	ours, known, errs := f.try(q, path+".measure", what+": measure", c.Measure, c.before)
	null, nullKnown, more := f.try(q, path+".null", what+": null", c.Null, c.beforeNull)
	if errs = append(errs, more...); len(errs) > 0 || !known {
		return errs
	}
	if text := c.misfit(ours); text != "" {
		return []error{f.errorf(path+".measure", "%s: %s", what, text)}
	}
	if c.CannotFail == "" && c.ofSettings() {
		errs = append(errs, f.errorf(path+".measure", "%s: found arithmetic on settings alone, expected cannot_fail "+
			"with the reason beside it", what))
	}
	if len(c.Parts) > 0 && len(c.Parts) != len(ours) {
		errs = append(errs, f.errorf(path+".parts", "%s: %d parts for %d values", what, len(c.Parts), len(ours)))
	}
	if text := c.misfit(null); len(c.Null) > 0 && nullKnown && text != "" {
		errs = append(errs, f.errorf(path+".null", "%s: null: %s", what, text))
	}
	if t, err := c.template(); err == nil {
		if err := t.Execute(&bytes.Buffer{}, Explained{ours, Within}); err != nil {
			errs = append(errs, f.errorf(path+".why", "%s: why: %v", what, err))
		}
	}
	return errs
}

// ofSettings reports whether every measure of the claim is arithmetic on settings.
func (c *Claim) ofSettings() bool {
	for _, m := range c.Measure {
		if !query.OfSettings(m) {
			return false
		}
	}
	return true
}

// try evaluates expressions over made-up records; known is false if their values depend on real ones.
func (f *File) try(q *query.Query, path, what string, codes []string, before []int) (values []any, known bool,
	errs []error) {
	known = true
	for k, code := range codes {
		v, err := q.Try(code, query.At{})
		if err != nil {
			errs = append(errs, f.inExpression(f.doc.Elem(path, k), before[k], what, err))
			continue
		}
		known = known && !v.NotRun()
		values = append(values, flat(v.V)...)
	}
	return values, known, errs
}

// inExpression returns an error in an expression. at is the place of its text in the file, and before the number of
// characters of definitions expanded before it.
func (f *File) inExpression(at tomldoc.Pos, before int, what string, err error) error {
	var e *query.Error
	if errors.As(err, &e) {
		return tomldoc.Errorf(f.doc.Rune(at, max(e.At-before, 0)), "%s: %s", what, e.Message)
	}
	return tomldoc.Errorf(at, "%s: %v", what, err)
}

// misfit describes a wrong number or kind of values; empty: there is none.
func (c *Claim) misfit(values []any) string {
	if c.Kind == KindTrend {
		for _, v := range values {
			if _, ok := v.(bool); !ok {
				return fmt.Sprintf("gives %v, expected conditions, which hold or do not", v)
			}
		}
		return ""
	}
	n := len(c.Expect.targets())
	if c.Kind == KindExact {
		n = len(c.Expect.Printed)
	}
	if len(values) != n {
		return fmt.Sprintf("%d values, expected %d as expect has", len(values), n)
	}
	for i, v := range values {
		if _, ok := v.(float64); !ok && c.Kind == KindMagnitude {
			return fmt.Sprintf("value %d is %v, expected a number", i+1, v)
		}
	}
	return ""
}

// template parses the template of Why.
func (c *Claim) template() (*template.Template, error) {
	return template.New("why").Funcs(templateFuncs).Parse(c.Why)
}
