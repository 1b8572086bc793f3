package study

import (
	"encoding/json"

	"kumiko/gpus/result"
)

// Point is one thing to be executed: a benchmark on a variant, or a benchmark's
// access stream.
type Point struct {
	Study     string   `json:"study"`
	Variant   string   `json:"variant"` // or the stream's name
	Benchmark string   `json:"benchmark"`
	Size      string   `json:"size"`
	GPU       string   `json:"gpu"`
	Design    string   `json:"design"`
	Set       []string `json:"set"`
	Registers string   `json:"registers"`
	// Perturb is the number of the perturbation, 0 for none.
	Perturb int  `json:"perturb"`
	Stream  bool `json:"stream"`
	// Sample is how the run was sampled: seed and error of the study; empty: it was not.
	Sample string `json:"sample,omitempty"`
	// Split is how the run was split: ByLaunches, into Parts at most; empty: it was not. Part is the number of a part,
	// from 1; 0: the whole.
	Split string `json:"split,omitempty"`
	Parts int    `json:"parts,omitempty"`
	Part  int    `json:"part,omitempty"`
}

// Record is the stored result of a finished point: one JSON file, named by
// the configuration and the program.
type Record struct {
	Format int   `json:"format"` // RecordFormat
	Point  Point `json:"point"`
	// Key is the name of the record: a hash of configuration, program, and kind
	// of measurement.
	Key     string `json:"key"`
	Version string `json:"version"` // of the simulator
	// Result is the result of a run. For a program with many launches it has one entry for
	// each kernel, the sum of the kernel's launches.
	Result *result.Result `json:"result,omitempty"`
	// Split has the launches covered by the result, and the parts they were simulated in; nil: the run was not
	// split.
	Split *Split `json:"split,omitempty"`
	// Streams is package streams' summary of the access stream.
	Streams json.RawMessage `json:"streams,omitempty"`
	// Waves is the least number of full residencies of a launch of the point,
	// over launches not small by nature; null if unknown.
	Waves *float64 `json:"waves,omitempty"`
	// Failed is the reason for a missing result: the simulation stopped by itself,
	// or the benchmark's check failed. A failed point is executed again.
	Failed string `json:"failed,omitempty"`
	// Checked: operand versions were followed.
	Checked bool `json:"checked,omitempty"`
	// Attempt is a later execution, without a result.
	Attempt *Attempt `json:"attempt,omitempty"`
	// Seconds is the time for the execution of the point.
	Seconds float64 `json:"seconds"`
}

// Attempt is an execution of a point without a result.
type Attempt struct {
	Version string `json:"version"` // of the simulator
	Failed  string `json:"failed"`
	Checked bool   `json:"checked,omitempty"` // operand versions were followed
}

// Measured reports whether the record has a result, or the summary of a stream.
func (r *Record) Measured() bool { return r.Failed == "" }

// after returns a measured record after a failed execution. The record keeps its result,
// and notes the failed execution in Attempt. A refusal is no failure of the
// simulator: the record then takes the number of waves from the refusal, so
// Spec.short refuses it in studies asking for more.
func (r *Record) after(none *Record) *Record {
	own := *r
	if none.Refused() {
		own.Waves = none.Waves
	} else {
		own.Attempt = &Attempt{none.Version, none.Failed, none.Checked}
	}
	return &own
}

// seenBy returns the record as a version of the simulator sees it: a result not reproducible
// by this version is dropped.
func (r *Record) seenBy(version string) *Record {
	if !r.Measured() || r.Attempt == nil || r.Attempt.Version != version {
		return r
	}
	own := *r
	own.Result, own.Streams, own.Failed = nil, nil, r.Attempt.Failed
	return &own
}

// Need has the requirements on a record for its point not to be executed again.
type Need struct {
	// Version is the simulator's version. With Keep, records of other versions are accepted, except for parts: the
	// parts of one run must be of one version.
	Version string
	Keep    bool
	// Check: operand versions must have been followed.
	Check bool
}

// Meets reports whether a record is as needed, except for its waves.
func (n *Need) Meets(r *Record) bool {
	return r.seenBy(n.Version).Measured() && (n.Keep && r.Point.Part == 0 || r.Version == n.Version) &&
		(r.Checked || !n.Check || r.Point.Stream)
}

// Met reports whether a record meets all needs, so its point need not be
// executed. r may be nil.
func (s *Spec) Met(r *Record, n *Need) bool { return r != nil && n.Meets(r) && !s.short(r) }

// RecordFormat is the format of records read and written by this version.
const RecordFormat = 2
