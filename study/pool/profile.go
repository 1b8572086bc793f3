package pool

import (
	"math"

	"kumiko/gpus/result"
	"kumiko/gpus/timeline"
)

// profiler returns a recorder that profiles the first SM over a whole run.
func profiler() (*timeline.Recorder, error) {
	rec, err := timeline.New(nil, 0, 0, math.MaxUint64)
	if err != nil {
		return nil, err
	}
	rec.Profile(timeline.NewProfile(1))
	return rec, nil
}

// waitsOf returns the operand waits recorded over a run that has ended; nil without a recorder.
func waitsOf(rec *timeline.Recorder) (*result.Waits, error) {
	if rec == nil {
		return nil, nil
	}
	if err := rec.Close(nil); err != nil {
		return nil, err
	}
	return rec.Report().Waits(), nil
}
