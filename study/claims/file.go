package claims

import (
	"embed"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"kumiko/internal/infile"
	"kumiko/internal/tomldoc"
	"kumiko/study"
)

// File is the claims of one paper.
type File struct {
	Paper string `toml:"paper"` // short name, such as gebhart
	Title string `toml:"title"`
	Study string `toml:"study"` // the study over whose records the claims are measured
	Doc   string `toml:"doc"`   // what holds for all of them
	// Define names expressions that the measures use, such as lists of kernels.
	Define map[string]string `toml:"define"`
	Claims []Claim           `toml:"claim"`
	Causes []Cause           `toml:"cause"` // why claims fall short

	doc *tomldoc.Doc // what it was read from
}

// Claim is a statement of a paper that can be checked here.
type Claim struct {
	ID    string `toml:"id"`
	Where string `toml:"where"` // section, figure or table
	// Kind is exact (a number equal as printed), magnitude (an effect's size) or
	// trend (an ordering, a sign, a shape).
	Kind   string `toml:"kind"`
	What   string `toml:"what"`   // of what the claim is, in a few words
	Theirs string `toml:"theirs"` // as the paper has it
	Expect Expect `toml:"expect"`
	// Measure are the expressions whose values are compared with what is expected:
	// numbers, texts, or for a trend its conditions.
	Measure []string `toml:"measure"`
	// Parts names the measures, where there are several.
	Parts []string `toml:"parts"`
	// Null are the expressions of what the baseline would give, where putting it in
	// the place of the variants does not say it: for measures over access streams.
	Null []string `toml:"null"`
	// Calibrated names the parameter that was fitted to the claim's number.
	Calibrated string `toml:"calibrated"`
	// Untestable says why the claim cannot be looked at here.
	Untestable string `toml:"untestable"`
	// CannotFail says why no result could speak against the claim. It is judged and
	// shown, and not counted.
	CannotFail string `toml:"cannot_fail"`
	// Equation names what several claims are the results of: together they count as
	// one, with the worst of their verdicts.
	Equation string `toml:"equation"`
	// Reading is the ID of the claim that is measured here under another reading of the
	// paper. The outcome is judged and shown, and not counted beside that claim's.
	Reading string `toml:"reading"`
	// Cause is the ID of one of the file's causes: why the claim falls short, if it
	// does.
	Cause string `toml:"cause"`
	// Why is what is to be said beside the verdict: a template (text/template) over
	// Explained.
	Why string `toml:"why"`
	// Deviations are entries of docs/deviations that concern the claim.
	Deviations []string `toml:"deviations"`

	// How many characters of definitions stand before each of Measure and Null.
	before, beforeNull []int
}

// Expect is what the paper's statement amounts to. One of Value, Values, Low
// with High, AtLeast, AtMost, UpTo, None and Printed is given; for trends, none.
type Expect struct {
	Value   *float64  `toml:"value"`
	Values  []float64 `toml:"values"` // one for each number measured
	Low     *float64  `toml:"low"`
	High    *float64  `toml:"high"`
	AtLeast *float64  `toml:"at_least"`
	AtMost  *float64  `toml:"at_most"`
	UpTo    *float64  `toml:"up_to"` // the greatest of something
	None    bool      `toml:"none"`  // no effect
	// Printed are the numbers with the digits that the paper prints, or texts.
	Printed []string `toml:"printed"`
	// Unit is effect (a relative change: 0.11 is +11 %), share (0.5 is 50 %),
	// factor (0.76 of a baseline that is 1), or the name of a unit.
	Unit string `toml:"unit"`
	// From is the value that means no effect, where it is not 0: 1 for a factor.
	From float64 `toml:"from"`
	// Absolute: there is no baseline, so that a sign alone means nothing. True
	// unless said otherwise of exact claims, false of others.
	Absolute *bool `toml:"absolute"`
	// Ordered: the order of several numbers is a part of what is claimed; they are
	// of one quantity over a parameter, or over programs.
	Ordered bool `toml:"ordered"`
}

// Kinds of claims.
const (
	KindExact     = "exact"
	KindMagnitude = "magnitude"
	KindTrend     = "trend"
)

//go:embed *.toml
var files embed.FS

// Load is the recorded claims of a paper, or nil when there are none, or those of
// a file ending in .toml. The error tells of a paper that is not known, or of
// what is wrong in the file; whether its study has what it measures, Check tells.
func Load(paper string) (*File, error) {
	if strings.HasSuffix(paper, ".toml") {
		data, err := infile.Read(paper)
		if err != nil {
			return nil, fmt.Errorf("claims file %s: %w", paper, errors.Unwrap(err))
		}
		f, err := Parse(paper, data)
		if err == nil && strings.HasSuffix(f.Study, ".toml") && !filepath.IsAbs(f.Study) {
			f.Study = filepath.Join(filepath.Dir(paper), f.Study)
		}
		return f, err
	}
	if !slices.Contains(study.Papers, paper) {
		return nil, fmt.Errorf("no paper %q; expected one of %s, or a file ending in .toml", paper,
			strings.Join(study.Papers, ", "))
	}
	name := paper + ".toml"
	data, err := files.ReadFile(name)
	if err != nil {
		return nil, nil
	}
	return Parse(name, data)
}

// Parse reads a file of claims strictly. Mistakes come as *tomldoc.Error, joined
// when there are several.
func Parse(name string, data []byte) (*File, error) {
	doc, err := tomldoc.Parse(name, data)
	if err != nil {
		return nil, err
	}
	if errs := append(tomldoc.Check(doc, reflect.TypeFor[File]()), doc.Finite()...); len(errs) > 0 {
		return nil, tomldoc.Join(name, errs)
	}
	f := &File{doc: doc}
	if err := tomldoc.Decode(name, data, f); err != nil {
		return nil, err
	}
	errs := f.checkHead()
	seen := map[string]bool{}
	for i := range f.Claims {
		c, path := &f.Claims[i], fmt.Sprintf("claim.%d", i)
		if seen[c.ID] {
			errs = append(errs, f.errorf(path+".id", "two claims have the id %q", c.ID))
		}
		seen[c.ID] = true
		for _, m := range c.check() {
			errs = append(errs, f.errorf(path+m.key, "claim %s: %s", c.ID, m.text))
		}
		c.before, c.beforeNull = f.expand(c.Measure), f.expand(c.Null)
	}
	errs = append(append(errs, f.checkEquations()...), f.checkReadings()...)
	errs = append(errs, f.checkCauses()...)
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return f, nil
}

func (f *File) errorf(path, format string, args ...any) error {
	return tomldoc.Errorf(f.doc.At(path), format, args...)
}

// checkHead refuses a study that is not there.
func (f *File) checkHead() []error {
	switch {
	case f.Study == "":
		return []error{f.errorf("", "study is missing: whose records are looked at")}
	case !strings.HasSuffix(f.Study, ".toml") && !slices.Contains(study.Names(), f.Study):
		return []error{f.errorf("study", "study: no study named %q; expected one of %s, or a file ending in .toml",
			f.Study, strings.Join(study.Names(), ", "))}
	case len(f.Claims) == 0:
		return []error{f.errorf("", "found no claim, expected at least one")}
	}
	return nil
}

// checkEquations refuses an equation used by one claim alone.
func (f *File) checkEquations() []error {
	n := map[string]int{}
	for i := range f.Claims {
		n[f.Claims[i].Equation]++
	}
	var errs []error
	for i := range f.Claims {
		if c := &f.Claims[i]; c.Equation != "" && n[c.Equation] == 1 {
			errs = append(errs, f.errorf(fmt.Sprintf("claim.%d.equation", i),
				"claim %s: equation: found %q, which no other claim has", c.ID, c.Equation))
		}
	}
	return errs
}

// checkReadings refuses another reading of no claim, or of a claim that is one itself.
func (f *File) checkReadings() []error {
	var errs []error
	for i := range f.Claims {
		c := &f.Claims[i]
		of := slices.IndexFunc(f.Claims, func(o Claim) bool { return o.ID == c.Reading && o.Reading == "" })
		if c.Reading != "" && of < 0 {
			errs = append(errs, f.errorf(fmt.Sprintf("claim.%d.reading", i),
				"claim %s: reading: found %q, expected the id of a claim that is counted", c.ID, c.Reading))
		}
	}
	return errs
}

// expand puts the definitions that expressions use before them, and says how many
// characters they are.
func (f *File) expand(measures []string) []int {
	before := make([]int, len(measures))
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(f.Define))) {
		word := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`)
		for i, m := range measures {
			if word.MatchString(m) {
				let := "let " + name + " = " + f.Define[name] + "; "
				before[i] += utf8.RuneCountInString(let)
				measures[i] = let + m
			}
		}
	}
	return before
}
