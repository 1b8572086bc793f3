package study

import (
	"fmt"
	"strings"
)

// Census is what a store has of some points.
type Census struct {
	Points  int      `json:"points"`
	Done    int      `json:"done"`
	Missing []string `json:"missing"`
	Failed  []Failed `json:"failed"`
	// Other counts the done points whose records another version of the
	// simulator has written, by that version.
	Other map[string]int `json:"other_versions"`
}

// Failed is a point that has no result.
type Failed struct {
	Point string `json:"point"`
	Why   string `json:"why"`
}

// Refused tells whether the point was refused rather than failed: it has too few
// waves of CTAs.
func (f *Failed) Refused() bool { return strings.HasPrefix(f.Why, refusal) }

// Collect reads what a store has of points.
func (s *Spec) Collect(store *Store, points []Point, version string) ([]*Record, *Census, error) {
	keys := s.Keys()
	c := &Census{Points: len(points), Missing: []string{}, Failed: []Failed{}, Other: map[string]int{}}
	var out []*Record
	for i := range points {
		p := &points[i]
		key, err := keys.Key(p)
		if err != nil {
			return nil, nil, err
		}
		r, err := store.Get(p, key)
		switch {
		case err != nil:
			return nil, nil, err
		case r == nil:
			c.Missing = append(c.Missing, p.String())
			continue
		case s.short(r):
			c.Failed = append(c.Failed, Failed{p.String(), fmt.Sprintf("%s%.2f full waves, expected at least %v", refusal, *r.Waves, s.Waves)})
			continue
		case r.Failed != "":
			c.Failed = append(c.Failed, Failed{p.String(), r.Failed})
		default:
			c.Done++
			if r.Version != version {
				c.Other[r.Version]++
			}
		}
		out = append(out, r)
	}
	return out, c, nil
}

// LoadData reads what a folder has of a study, with the perturbations 1 to
// perturb.
func (s *Spec) LoadData(dir string, perturb int, version string) (*Data, *Census, error) {
	store, err := OpenStore(dir)
	if err != nil {
		return nil, nil, err
	}
	records, c, err := s.Collect(store, s.Points(perturb), version)
	if err != nil {
		return nil, nil, err
	}
	return NewData(s, records), c, nil
}
