package record

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"kumiko/gpus/result"
)

// Record is the stored result of a finished point: one JSON file, named by
// the configuration and the program.
type Record struct {
	Format int   `json:"format"` // of records, the constant Format
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
	// Waves is the number of full waves of CTAs of the launch that has the fewest, without the launches that
	// the study exempts; null if unknown.
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

// SeenBy returns the record as a version of the simulator sees it: a result not reproducible
// by this version is dropped.
func (r *Record) SeenBy(version string) *Record {
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
	return r.SeenBy(n.Version).Measured() && (n.Keep && r.Point.Part == 0 || r.Version == n.Version) &&
		(r.Checked || !n.Check || r.Point.Stream)
}

// Format is the format of records read and written by this version.
const Format = 2

// Split has the launches covered by a record, if the study splits points. The machine of a part is new:
// launches before the part were executed and passed through the tags of its caches, or left cold caches if launches
// flush them. All other state is the state of a new machine.
type Split struct {
	Launches int     `json:"launches"` // of the program
	Parts    []Range `json:"parts"`    // in order; in the record of one part its own, or none if the part is empty
}

// Range is launches by their numbers, from 0: From to To, without To.
type Range struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// String counts launches from 1.
func (r Range) String() string {
	if r.To == r.From+1 {
		return "launch " + strconv.Itoa(r.To)
	}
	return fmt.Sprintf("launches %d to %d", r.From+1, r.To)
}

// Refusal begins the failure of a point with too few waves.
const Refusal = "refused: "

// Refused reports whether a point was refused rather than failed.
func (r *Record) Refused() bool { return strings.HasPrefix(r.Failed, Refusal) }
