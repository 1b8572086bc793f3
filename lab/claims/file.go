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
	"kumiko/internal/nearest"
	"kumiko/internal/tomldoc"
	_ "kumiko/lab/studies" // whose records are judged
	"kumiko/study"
	"kumiko/study/query"
)

// File is the claims of one paper.
type File struct {
	Paper string `toml:"paper"` // short name, such as gebhart
	Title string `toml:"title"`
	Study string `toml:"study"` // the study with the records for the claims
	Doc   string `toml:"doc"`   // a text about all claims
	Main  string `toml:"main"`  // the id of the claim that says what the design is good for; may be empty
	// Define names expressions for use in measures, such as lists of kernels.
	Define map[string]string `toml:"define"`
	Claims []Claim           `toml:"claim"`
	Causes []Cause           `toml:"cause"` // why claims fall short

	doc       *tomldoc.Doc // the parsed document
	text      string
	published *query.Query // the records of published programs; nil: not at hand
}

// SetPublished gives the records of the study PublishedStudy, on which causes measure too.
func (f *File) SetPublished(q *query.Query) { f.published = q }

// Reads returns a function that reports whether an expression of a study or of the claims about the study's paper may
// read a statistic (query.Reads).
func Reads(s *study.Spec) (func(statistic string) bool, error) {
	if s.Paper == "" {
		return query.Reads(s), nil
	}
	f, err := Load(s.Paper)
	if f == nil || err != nil {
		return query.Reads(s), err
	}
	return query.Reads(s, f.text), nil
}

// Claim is a checkable statement of a paper.
type Claim struct {
	ID    string `toml:"id"`
	Where string `toml:"where"` // section, figure or table
	// Kind is exact (a number equal as printed), magnitude (an effect's size) or
	// trend (an ordering, a sign, a shape).
	Kind   string `toml:"kind"`
	What   string `toml:"what"`   // the subject of the claim, in a few words
	Theirs string `toml:"theirs"` // as the paper has it
	Expect Expect `toml:"expect"`
	// Measure are the expressions to compare with the expected values:
	// numbers, texts, or for a trend its conditions.
	Measure []string `toml:"measure"`
	// Parts names the measures, if there are several.
	Parts []string `toml:"parts"`
	// Null are the expressions for the baseline's values. They are needed where replacing the
	// variants by the baseline does not give these: in measures over access streams.
	Null []string `toml:"null"`
	// Calibrated names the parameter fitted to the claim's number.
	Calibrated string `toml:"calibrated"`
	// Untestable is the reason why the claim cannot be tested here.
	Untestable string `toml:"untestable"`
	// CannotFail is the reason why no result could contradict the claim. Such a claim is judged and
	// shown, and not counted.
	CannotFail string `toml:"cannot_fail"`
	// Equation names an equation of which several claims are results: together they count as
	// one, with the worst of their verdicts.
	Equation string `toml:"equation"`
	// Reading is the ID of a claim measured here under another reading of the
	// paper. The outcome is judged and shown, but only the other claim is counted.
	Reading string `toml:"reading"`
	// Cause is the ID of one of the file's causes: the reason if the claim falls short.
	Cause string `toml:"cause"`
	// Why is the explanation beside the verdict: a template (text/template) over
	// Explained.
	Why string `toml:"why"`
	// Deviations are the IDs of entries of lab/docs/deviations concerning the claim.
	Deviations []string `toml:"deviations"`

	// Numbers of characters of definitions expanded before each of Measure and Null.
	before, beforeNull []int
}

// Expect is the paper's statement in numbers. One of Value, Values, Low
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
	// Printed are the numbers with the digits printed in the paper, or texts.
	Printed []string `toml:"printed"`
	// Unit is effect (a relative change: 0.11 is +11 %), share (0.5 is 50 %),
	// factor (0.76 of a baseline of 1), or the name of a unit.
	Unit string `toml:"unit"`
	// From is the value meaning no effect, if it is not 0: 1 for a factor.
	From float64 `toml:"from"`
	// Absolute: there is no baseline, so a sign alone means nothing. The default
	// is true for exact claims and false for others.
	Absolute *bool `toml:"absolute"`
	// Ordered: the order of several numbers is a part of the claim. The numbers are
	// of one quantity over a parameter, or over programs.
	Ordered bool `toml:"ordered"`
}

// Kinds of claims.
const (
	KindExact     = "exact"
	KindMagnitude = "magnitude"
	KindTrend     = "trend"
)

// Papers lists the papers of the designs, by their short names. Some may have no recorded claims.
var Papers = []string{"gebhart", "sharing", "ltrf", "finereg", "cerf", "malekeh", "values"}

//go:embed *.toml
var files embed.FS

// Load returns the recorded claims of a paper, or nil if there are none, or the claims of a file ending in
// .toml. It returns an error for an unknown paper, and for errors in the file. Check compares the claims with
// their study.
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
	if !slices.Contains(Papers, paper) {
		return nil, fmt.Errorf("no paper %q; expected one of %s, or a file ending in .toml%s", paper,
			strings.Join(Papers, ", "), nearest.Hint(paper, Papers))
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
	f := &File{doc: doc, text: string(data)}
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
	if f.Main != "" && !slices.ContainsFunc(f.Claims, func(c Claim) bool { return c.ID == f.Main && c.Reading == "" }) {
		errs = append(errs, f.errorf("main", "main: found %q, expected the id of a claim that is counted", f.Main))
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

// checkHead returns an error for a missing study.
func (f *File) checkHead() []error {
	switch {
	case f.Study == "":
		return []error{f.errorf("", "study is missing: whose records are looked at")}
	case !strings.HasSuffix(f.Study, ".toml") && !slices.Contains(study.Names(), f.Study):
		return []error{f.errorf("study", "study: no study named %q; expected one of %s, or a file ending in .toml%s",
			f.Study, strings.Join(study.Names(), ", "), nearest.Hint(f.Study, study.Names()))}
	case len(f.Claims) == 0:
		return []error{f.errorf("", "found no claim, expected at least one")}
	}
	return nil
}

// checkEquations returns an error for an equation used by one claim alone.
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

// checkReadings returns an error for another reading of an unknown claim, or of a claim that is itself
// another reading.
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

// expand puts the definitions used by expressions before them, and returns the numbers
// of added characters.
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
