package study

import (
	"cmp"
	"fmt"

	"kumiko/benchmarks"
	"kumiko/gpus/config"
	"kumiko/gpus/sampling"
	"kumiko/internal/tomldoc"
	"kumiko/kernel/recording"
	"kumiko/study/record"
)

// Spec is a study as its file declares it.
type Spec struct {
	Name  string `toml:"name"`
	Title string `toml:"title"`
	Doc   string `toml:"doc"`   // the question of the study, in a few sentences
	Paper string `toml:"paper"` // short name of the paper with the claims to test; may be empty
	Size  string `toml:"size"`  // of every benchmark: test, small, study, large or paper
	// Registers is "own" (the compiler's footprint) or "paper" (the footprint
	// printed in the paper, if there is one).
	Registers string `toml:"registers"`
	// Waves is the least number of times a launch's CTAs must fill the
	// machine. A point with fewer is refused. 0: no limit.
	Waves float64 `toml:"waves"`
	// WavesExempt are benchmarks with launches small by nature, and variants holding
	// more CTAs than launches have, each with the reason. Waves does not apply to them.
	WavesExempt []Exempt `toml:"waves_exempt"`
	// Perturb is the number of perturbed runs of each point beside the plain one,
	// unless the command line gives another.
	Perturb int `toml:"perturb"`
	// Perturbed are the variants with perturbed runs; empty: all variants.
	Perturbed []string `toml:"perturbed"`
	// Sample, if given, enables sampling in the launches of every run.
	Sample *Sample `toml:"sample"`
	// Profile records the operand waits by instruction of every run without perturbation.
	Profile bool `toml:"profile"`
	// Split, if given, is the way to split runs into parts simulated separately: ByLaunches. Parts is the most
	// parts of a run.
	Split string `toml:"split"`
	Parts int    `toml:"parts"`
	// Set are settings of every variant, before its own.
	Set []string `toml:"set"`
	// Like are the variants that compare the paper's designs with its baseline, for kumiko study new --like.
	Like []string `toml:"like"`

	// Programs are programs of the author's, beside the built-in benchmarks.
	Programs []Program `toml:"program"`
	// Groups are lists of benchmarks by name: the paper's categories, and
	// "all".
	Groups map[string][]string `toml:"groups"`
	// Sets are lists of settings by name, for what belongs together, as a limit of warps and one of threads. The name
	// in the set of a variant or a stream, or made there by a sweep, stands for all of its settings.
	Sets     map[string][]string `toml:"sets"`
	Variants []Variant           `toml:"variant"`
	Streams  []Stream            `toml:"stream"`
	Figures  []Figure            `toml:"figure"`
	Tables   []Table             `toml:"table"`
	Notes    []Note              `toml:"note"`

	doc     *tomldoc.Doc // the parsed document
	text    string
	configs map[string]*config.Config
	refused int // configurations explained so far
	opened
}

// opened are a study's own programs, by name.
type opened struct {
	own      map[string]*benchmarks.App
	traces   map[string]*Traced            // the trace programs among them
	captures map[string]*recording.Program // the recorded applications among them
	recorded string                        // their folder; empty: that of the study's file
	absent   map[string]*Program           // those whose recording is not there
}

// Sample has the sampling of a study's runs. The plain run of a point draws its units by Seed, and its
// perturbed run k by Seed+k, the same for every variant. So variants holding the same number of CTAs have the same
// units, and figures compare two variants run by run.
type Sample struct {
	Error string `toml:"error"` // wanted half interval of cycles, such as 3%; empty: none
	Seed  int64  `toml:"seed"`  // 0: 1

	half float64 // of Error
}

// For returns the sampling of a point's run, or nil.
func (s *Sample) For(p *record.Point) *sampling.Spec {
	if s == nil || p.Stream {
		return nil
	}
	return &sampling.Spec{Seed: cmp.Or(s.Seed, 1) + int64(p.Perturb), Error: s.half}
}

// text describes the sampling for records: empty without sampling.
func (s *Sample) text() string {
	if s == nil {
		return ""
	}
	return fmt.Sprintf("seed %d error %g", cmp.Or(s.Seed, 1), s.half)
}

// Exempt is a benchmark, or one of its kernels, exempt from filling the machine.
type Exempt struct {
	Benchmark string   `toml:"benchmark"` // empty: every benchmark, of the variants named
	Kernel    string   `toml:"kernel"`    // empty: every kernel of the benchmark
	Variants  []string `toml:"variants"`  // empty: every variant
	Reason    string   `toml:"reason"`
}

// Variant is a configuration of the machine. With Sweep or Sweeps it stands for one
// variant for each of the values.
type Variant struct {
	Name   string   `toml:"name"` // with a sweep it contains {} or {NAME}, to be replaced by the value
	Doc    string   `toml:"doc"`
	GPU    string   `toml:"gpu"`
	Design string   `toml:"design"`
	Code   string   `toml:"code"`   // whose machine code runs, sm_52; short for compiler.code in Set
	Set    []string `toml:"set"`    // key=value; with a sweep {} and {NAME} become the value
	Groups []string `toml:"groups"` // the benchmarks it runs; empty: group all
	// Sweep lists the values of {}.
	Sweep []string `toml:"sweep"`
	// Sweeps lists, by name, the values of {NAME}. The variant stands for one variant for
	// each combination; the last name of the file runs fastest.
	Sweeps map[string][]string `toml:"sweeps"`
	// Baseline is the variant to compare with; empty: none.
	Baseline string `toml:"baseline"`
	// Tuned names settings chosen per application; they are shown
	// beside the fixed ones.
	Tuned []string `toml:"tuned"`
	// Size and Registers, if given, replace the study's.
	Size      string `toml:"size"`
	Registers string `toml:"registers"`

	path  string // of its table in the document
	sizes bool   // its size is a sweep's
}

// Stream requests the access stream of benchmarks, compiled for a GPU: the properties
// known without timing.
type Stream struct {
	Name   string   `toml:"name"`
	GPU    string   `toml:"gpu"`
	Set    []string `toml:"set"`
	Groups []string `toml:"groups"`
	Size   string   `toml:"size"`
}

// Figure is a figure of the report. Its values are expressions over the records
// (package query).
type Figure struct {
	ID    string `toml:"id"`
	Title string `toml:"title"`
	Where string `toml:"where"` // in the paper
	Doc   string `toml:"doc"`   // caption
	// Kind is bar (one group of bars for each X), line (over numbers X), stack
	// (stacked bars), scatter (X and Y are both expressions), or map (a cell for
	// each X and each series).
	Kind string `toml:"kind"`
	// Over selects the values of x: a group of benchmarks ("group:hpc"), all groups
	// ("groups"), all variants ("variants"), or ("list", or nothing) the values
	// listed in Values. The value is x in the series' expressions.
	Over   string   `toml:"over"`
	Values []any    `toml:"values"`
	Labels []string `toml:"labels"` // of Values, where they are to be shown otherwise
	X      Axis     `toml:"x"`
	Y      Axis     `toml:"y"`
	Series []Series `toml:"series"`
	Marks  []Mark   `toml:"mark"` // the paper's numbers
	// Mean adds the means of a bar figure's series over all x, set off from the
	// others: arithmetic, geometric or both, or "" for none.
	Mean string `toml:"mean"`
}

// Axis is how an axis is labelled and scaled.
type Axis struct {
	Title   string   `toml:"title"`
	Percent bool     `toml:"percent"` // values are ratios, shown in percent
	Share   bool     `toml:"share"`   // values are parts of a whole, 0 to 1, shown in percent
	Zero    *bool    `toml:"zero"`    // false: the axis, and with it a bar, begins near the least value
	From    *float64 `toml:"from"`    // where bars begin, up or down; nil: 0
	Log     bool     `toml:"log"`
	Min     *float64 `toml:"min"`
	Max     *float64 `toml:"max"`
}

// Ratio reports whether the values are shown in percent.
func (a *Axis) Ratio() bool { return a.Percent || a.Share }

// Series is one line, or one bar of each group.
type Series struct {
	Name string `toml:"name"`
	Y    string `toml:"y"` // expression in x
	X    string `toml:"x"` // scatter alone
	// Each makes one series for each value: "groups", "variants", or "list", over
	// Values; {} in Name, and s in the expressions, is the value.
	Each   string `toml:"each"`
	Values []any  `toml:"values"`
}

// Mark is a number stated by the paper, drawn over our data.
type Mark struct {
	X    any      `toml:"x"` // nil: across the whole figure
	Y    *float64 `toml:"y"`
	Y2   *float64 `toml:"y2"` // with Y a range
	Text string   `toml:"text"`
}

// Table is a table of the report: a row for each x.
type Table struct {
	ID      string   `toml:"id"`
	Title   string   `toml:"title"`
	Where   string   `toml:"where"`
	Doc     string   `toml:"doc"`
	Over    string   `toml:"over"`
	Values  []any    `toml:"values"`
	Labels  []string `toml:"labels"`
	Columns []Column `toml:"column"`
	// Mean adds a row with the means of the columns: arithmetic, geometric or
	// both, or "" for none.
	Mean string `toml:"mean"`
}

// Column is a column of a table.
type Column struct {
	Name    string `toml:"name"`
	Value   string `toml:"value"`  // expression over x: a number or a text
	Paper   []any  `toml:"paper"`  // the paper's values by row, shown beside ours
	Format  string `toml:"format"` // of a number, such as "%.2f" or "percent"
	Compact bool   `toml:"compact"`
}

// Note is a deviation or an assumption stated in the report.
type Note struct {
	Title string `toml:"title"`
	Text  string `toml:"text"`
}
