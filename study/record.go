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
	// Streams is what package streams made of the access stream.
	Streams json.RawMessage `json:"streams,omitempty"`
	// Waves is the least number of full residencies that a launch of the point
	// has, over launches that are not small by nature; null where unknown.
	Waves *float64 `json:"waves,omitempty"`
	// Failed says why the point has no result: the simulation stopped by itself,
	// or the benchmark's check failed. A failed point is executed again.
	Failed string `json:"failed,omitempty"`
	// Seconds is what the point took.
	Seconds float64 `json:"seconds"`
}

// RecordFormat is the format of records that this version writes and reads.
const RecordFormat = 2
