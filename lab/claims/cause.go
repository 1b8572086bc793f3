package claims

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"kumiko/internal/tomldoc"
	"kumiko/study"
	"kumiko/study/query"
)

// Cause is a reason why claims fall short, with the experiment showing it: variants of
// the study, a command, or both. A cause without an experiment is an error.
type Cause struct {
	ID   string `toml:"id"`
	Kind string `toml:"kind"` // one of CauseKinds
	// Variants are the compared variants or streams of the study.
	Variants []string `toml:"variants"`
	// Command performs the experiment if variants do not.
	Command string `toml:"command"`
	// Measure are expressions over the study's records: the results of the experiment.
	Measure []string `toml:"measure"`
	// Text is the conclusion: a template (text/template) over Explained with an empty Verdict.
	Text string `toml:"text"`
	// Published is what programs of the paper give, as they were published.
	Published *Published `toml:"published"`

	before []int // as Claim's
}

// Published is the part of a cause that tells programs from machines: the same measured on programs of the paper, as
// they were published, by the study of these programs.
type Published struct {
	Measure []string `toml:"measure"` // expressions over the records of PublishedStudy
	Text    string   `toml:"text"`    // as a cause's
}

// PublishedStudy is the study of programs as they were published.
const PublishedStudy = "originals"

// Kinds of causes. A design may fall short because of the program or because of the machine, and what binds it here is
// no answer to that: the published program on the same machine is. Where it does the same, the cause is the machine,
// and where it does otherwise, the program. Noise is the cause of every unresolved claim; its experiment is the
// perturbed runs.
const (
	CauseModel     = "our model"
	CauseMachine   = "the machine"
	CausePrograms  = "our programs"
	CauseEither    = "program or machine"
	CauseCompiler  = "our compiler"
	CauseReading   = "reading"
	CauseStatement = "their statement"
	CauseNoise     = "noise"
)

// CauseKinds lists the kinds of causes in the order of the summary.
var CauseKinds = []string{CauseModel, CauseMachine, CausePrograms, CauseEither, CauseCompiler, CauseReading,
	CauseStatement, CauseNoise}

// noise returns the cause of unresolved claims.
func (f *File) noise() *Cause {
	return &Cause{ID: "noise", Kind: CauseNoise, Command: "kumiko study run " + f.Study + " --perturb 8",
		Text: "The effect lies inside the interval of the perturbed runs; more of them narrow it."}
}

// cause returns the cause with an ID, or nil.
func (f *File) cause(id string) *Cause {
	for i := range f.Causes {
		if f.Causes[i].ID == id {
			return &f.Causes[i]
		}
	}
	return nil
}

// Experiment returns the commands to repeat the experiment.
func (c *Cause) Experiment(study string) string {
	var out []string
	if len(c.Variants) > 0 {
		out = append(out, "kumiko study run "+study+" --only "+strings.Join(c.Variants, ","))
	}
	if c.Command != "" {
		out = append(out, c.Command)
	}
	if c.Published != nil {
		out = append(out, "kumiko study run "+PublishedStudy+" --captures DIR")
	}
	return strings.Join(out, "; ")
}

// Found returns the cause's text with the results of the experiment, as far as it has been
// run. q may be nil.
func (c *Cause) Found(q *query.Query) string {
	var ours []any
	if q != nil && len(c.Measure) > 0 {
		m, err := sample(q, c.Measure, query.At{})
		if err != nil {
			return unmeasured + err.Error()
		}
		if len(m.samples) > 0 {
			ours = m.samples[0]
		}
	}
	if ours == nil && len(c.Measure) > 0 {
		return "the experiment has not been run"
	}
	text, err := execute(c.Text, ours)
	if err != nil {
		return "text: " + err.Error()
	}
	return text
}

// foundPublished returns what the published programs give, or "". q has their records, or is nil.
func (c *Cause) foundPublished(q *query.Query) string {
	if c.Published == nil || q == nil {
		return ""
	}
	p := Cause{Measure: c.Published.Measure, Text: c.Published.Text}
	return p.Found(q)
}

func execute(text string, ours []any) (string, error) {
	t, err := template.New("text").Funcs(templateFuncs).Parse(text)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	err = t.Execute(&b, Explained{Ours: ours})
	return strings.TrimSpace(b.String()), err
}

// checkCauses returns errors for causes without an experiment, and for claims with an
// unknown cause.
func (f *File) checkCauses() []error {
	var errs []error
	used := map[string]bool{CauseNoise: true}
	for i := range f.Claims {
		id := f.Claims[i].Cause
		used[id] = true
		if id != "" && f.cause(id) == nil {
			errs = append(errs, f.errorf(fmt.Sprintf("claim.%d.cause", i), "claim %s: cause: the file has no cause %q",
				f.Claims[i].ID, id))
		}
	}
	for i := range f.Causes {
		c, path := &f.Causes[i], fmt.Sprintf("cause.%d", i)
		switch {
		case c.ID == "" || strings.TrimSpace(c.Text) == "":
			errs = append(errs, f.errorf(path, "cause: id and text are to be given"))
		case f.cause(c.ID) != c:
			errs = append(errs, f.errorf(path+".id", "two causes have the id %q", c.ID))
		case !slices.Contains(CauseKinds, c.Kind) || c.Kind == CauseNoise:
			errs = append(errs, f.errorf(path+".kind", "cause %s: kind: found %q, expected one of %s", c.ID, c.Kind,
				strings.Join(CauseKinds[:len(CauseKinds)-1], ", ")))
		case c.Kind == CauseMachine && c.Published == nil, c.Kind == CausePrograms && c.Published == nil:
			errs = append(errs, f.errorf(path+".kind", "cause %s: kind: found %q without published programs "+
				"(published), which tell programs from machines; expected them, or %q", c.ID, c.Kind, CauseEither))
		case c.Published != nil && (len(c.Published.Measure) == 0 || strings.TrimSpace(c.Published.Text) == ""):
			errs = append(errs, f.errorf(path+".published", "cause %s: published: measure and text are to be given",
				c.ID))
		case len(c.Variants) == 0 && c.Command == "":
			errs = append(errs, f.errorf(path, "cause %s: found no experiment, expected variants or a command", c.ID))
		case !used[c.ID]:
			errs = append(errs, f.errorf(path+".id", "cause %s: no claim has it", c.ID))
		}
		c.before = f.expand(c.Measure)
	}
	return errs
}

// tryCauses returns the errors in the experiments of the causes of a study.
func (f *File) tryCauses(s *study.Spec, q *query.Query) []error {
	var errs []error
	for i := range f.Causes {
		c, path := &f.Causes[i], fmt.Sprintf("cause.%d", i)
		for k, v := range c.Variants {
			stream := slices.ContainsFunc(s.Streams, func(x study.Stream) bool { return x.Name == v })
			if s.Variant(v) == nil && !stream {
				errs = append(errs, tomldoc.Errorf(f.doc.Elem(path+".variants", k),
					"cause %s: variants: the study has no variant %q", c.ID, v))
			}
		}
		ours, known, more := f.try(q, path+".measure", "cause "+c.ID+": measure", c.Measure, c.before)
		errs = append(errs, more...)
		if known && len(more) == 0 {
			if _, err := execute(c.Text, ours); err != nil {
				errs = append(errs, f.errorf(path+".text", "cause %s: text: %v", c.ID, err))
			}
		}
	}
	return append(errs, f.tryPublished()...)
}

// tryPublished returns the errors in what causes measure on published programs.
func (f *File) tryPublished() []error {
	var errs []error
	var q *query.Query
	for i := range f.Causes {
		c, path := &f.Causes[i], fmt.Sprintf("cause.%d.published", i)
		if c.Published == nil {
			continue
		}
		if q == nil {
			s, err := study.Load(PublishedStudy)
			if err != nil {
				return []error{err}
			}
			q = query.Trial(s)
		}
		ours, known, more := f.try(q, path+".measure", "cause "+c.ID+": published", c.Published.Measure,
			make([]int, len(c.Published.Measure)))
		errs = append(errs, more...)
		if known && len(more) == 0 {
			if _, err := execute(c.Published.Text, ours); err != nil {
				errs = append(errs, f.errorf(path+".text", "cause %s: published: %v", c.ID, err))
			}
		}
	}
	return errs
}
