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

// Record is what a finished point leaves: one JSON file under a name made from
// the configuration and the program.
type Record struct {
	Format int   `json:"format"` // RecordFormat
	Point  Point `json:"point"`
	// Key is the name of the record: a hash of configuration, program, and kind
	// of measurement.
	Key     string `json:"key"`
	Version string `json:"version"` // of the simulator
	// Result is that of a run. Of a program with many launches it has one entry for
	// each kernel instead, in which they are added up.
	Result *result.Result `json:"result,omitempty"`
	// Split says what launches the result is of, and in what parts they were simulated; nil: the run was not split.
	Split *Split `json:"split,omitempty"`
	// Streams is what package streams made of the access stream.
	Streams json.RawMessage `json:"streams,omitempty"`
	// Waves is the least number of full residencies that a launch of the point
	// has, over launches that are not small by nature; null where unknown.
	Waves *float64 `json:"waves,omitempty"`
	// Failed says why the point has no result: the simulation stopped by itself,
	// or the benchmark's check failed. A failed point is executed again.
	Failed string `json:"failed,omitempty"`
	// Checked: operand versions were followed.
	Checked bool `json:"checked,omitempty"`
	// Attempt is a later execution, without a result.
	Attempt *Attempt `json:"attempt,omitempty"`
	// Seconds is what the point took.
	Seconds float64 `json:"seconds"`
}

// Attempt is an execution of a point that ended without a result.
type Attempt struct {
	Version string `json:"version"` // of the simulator
	Failed  string `json:"failed"`
	Checked bool   `json:"checked,omitempty"` // operand versions were followed
}

// Measured reports whether the record has a result, or the summary of a stream.
func (r *Record) Measured() bool { return r.Failed == "" }

// after is a measured record after an execution that gave none: it stays, and
// what became of the execution is noted in it. A refusal is no failure of the
// simulator; the record then has the waves that were found, by which Spec.short
// refuses it where they are asked for.
func (r *Record) after(none *Record) *Record {
	own := *r
	if none.Refused() {
		own.Waves = none.Waves
	} else {
		own.Attempt = &Attempt{none.Version, none.Failed, none.Checked}
	}
	return &own
}

// seenBy is the record as a version of the simulator sees it: a result that this
// version could not reproduce is none.
func (r *Record) seenBy(version string) *Record {
	if !r.Measured() || r.Attempt == nil || r.Attempt.Version != version {
		return r
	}
	own := *r
	own.Result, own.Streams, own.Failed = nil, nil, r.Attempt.Failed
	return &own
}

// Need is what a record must be for its point not to be executed again.
type Need struct {
	// Version is the simulator's. A record of another one does, when Keep is set, but for parts: those of one run
	// are of one version.
	Version string
	Keep    bool
	// Check: operand versions must have been followed.
	Check bool
}

// Meets reports whether a record is as needed, but for its waves.
func (n *Need) Meets(r *Record) bool {
	return r.seenBy(n.Version).Measured() && (n.Keep && r.Point.Part == 0 || r.Version == n.Version) &&
		(r.Checked || !n.Check || r.Point.Stream)
}

// Met reports whether a record, or nil, is such that its point need not be
// executed.
func (s *Spec) Met(r *Record, n *Need) bool { return r != nil && n.Meets(r) && !s.short(r) }

// RecordFormat is the format of records that this version writes and reads.
const RecordFormat = 2
