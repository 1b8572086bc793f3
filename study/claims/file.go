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

	"kumiko/internal/infile"
	"kumiko/internal/tomldoc"
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
}

// Claim is something that a paper says and that can be looked at here.
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
	// Why is what is to be said beside the verdict: a template (text/template) over
	// Explained.
	Why string `toml:"why"`
	// Deviations are entries of docs/deviations.md that bear on the claim.
	Deviations []string `toml:"deviations"`
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

// Papers are those of the project's designs, by their short names. Claims of
// some of them may not be recorded.
var Papers = []string{"gebhart", "sharing", "ltrf", "finereg", "cerf"}

// Load is the recorded claims of a paper, or nil when there are none, or those of
// a file ending in .toml. The error tells of a paper that is not known.
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
		return nil, fmt.Errorf("no paper %q; expected one of %s, or a file ending in .toml", paper, strings.Join(Papers, ", "))
	}
	name := paper + ".toml"
	data, err := files.ReadFile(name)
	if err != nil {
		return nil, nil
	}
	return Parse(name, data)
}

// Parse reads a file of claims strictly.
func Parse(name string, data []byte) (*File, error) {
	doc, err := tomldoc.Parse(name, data)
	if err != nil {
		return nil, err
	}
	if list := tomldoc.Check(doc, reflect.TypeFor[File]()); len(list) > 0 {
		return nil, list[0]
	}
	f := &File{}
	if err := tomldoc.Decode(name, data, f); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for i := range f.Claims {
		c := &f.Claims[i]
		if seen[c.ID] {
			return nil, tomldoc.Errorf(place(doc, i), "two claims have the id %q", c.ID)
		}
		seen[c.ID] = true
		f.expand(c.Measure)
		f.expand(c.Null)
		if err := c.check(); err != nil {
			return nil, tomldoc.Errorf(place(doc, i), "claim %s: %v", c.ID, err)
		}
	}
	return f, nil
}

// place is where a claim begins.
func place(doc *tomldoc.Doc, claim int) tomldoc.Pos {
	within := fmt.Sprintf("claim.%d.", claim)
	for i := range doc.Entries {
		if strings.HasPrefix(doc.Entries[i].Path(), within) {
			return doc.Entries[i].Pos
		}
	}
	return tomldoc.Pos{File: doc.File}
}

// expand puts the definitions that expressions use before them.
func (f *File) expand(measures []string) {
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(f.Define))) {
		word := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`)
		for i, m := range measures {
			if word.MatchString(m) {
				measures[i] = "let " + name + " = " + f.Define[name] + "; " + m
			}
		}
	}
}

func (c *Claim) check() error {
	switch {
	case c.ID == "" || c.Where == "" || c.Theirs == "":
		return fmt.Errorf("id, where and theirs are to be given")
	case !slices.Contains([]string{KindExact, KindMagnitude, KindTrend}, c.Kind):
		return fmt.Errorf("kind: found %q, expected exact, magnitude or trend", c.Kind)
	case len(c.Measure) == 0 && c.Untestable == "":
		return fmt.Errorf("neither measure nor untestable is given")
	case len(c.Parts) > 0 && len(c.Measure) > 1 && len(c.Parts) != len(c.Measure):
		return fmt.Errorf("%d parts for %d measures", len(c.Parts), len(c.Measure))
	case c.Untestable != "":
		return nil
	}
	return c.Expect.check(c.Kind)
}

func (e *Expect) check(kind string) error {
	n := 0
	for _, given := range []bool{e.Value != nil, e.Values != nil, e.Low != nil && e.High != nil, e.AtLeast != nil, e.AtMost != nil, e.UpTo != nil, e.None, e.Printed != nil} {
		if given {
			n++
		}
	}
	switch {
	case kind == KindTrend && n != 0:
		return fmt.Errorf("expect: a trend's conditions are its measures; expected nothing here")
	case kind != KindTrend && n != 1:
		return fmt.Errorf("expect: found %d of value, values, low with high, at_least, at_most, up_to, none, printed; expected one", n)
	case (e.Low == nil) != (e.High == nil):
		return fmt.Errorf("expect: low and high belong together")
	case kind == KindExact && e.Printed == nil:
		return fmt.Errorf("expect: an exact claim needs printed")
	case kind == KindMagnitude && e.Printed != nil:
		return fmt.Errorf("expect: printed is for exact claims")
	case e.None && e.point() == 0:
		return fmt.Errorf("expect: none needs one of the units effect, share, factor")
	case e.Ordered && len(e.Values)+len(e.Printed) < 2:
		return fmt.Errorf("expect: ordered needs several numbers")
	case e.Low != nil && *e.Low > *e.High:
		return fmt.Errorf("expect: low %v is above high %v", *e.Low, *e.High)
	}
	return nil
}

// point is one percentage point in the unit, or 0 where there is no such thing.
func (e *Expect) point() float64 {
	switch e.Unit {
	case "effect", "share", "factor":
		return 0.01
	case "percent":
		return 1
	}
	return 0
}
