package study

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"kumiko/study/record"
)

// Census counts the records of some points in a store.
type Census struct {
	Points  int      `json:"points"`
	Done    int      `json:"done"`
	Missing []string `json:"missing"`
	Failed  []Failed `json:"failed"`
	// Other counts the done points with records of other versions of the
	// simulator, by version.
	Other map[string]int `json:"other_versions"`

	version string // version of the reader
}

// Others describes the records of other versions of the simulator among the done points.
// It is empty if there are none.
func (c *Census) Others() string {
	var of []string
	n := 0
	for _, v := range slices.Sorted(maps.Keys(c.Other)) {
		of = append(of, fmt.Sprintf("%d of %s", c.Other[v], v))
		n += c.Other[v]
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d records are of another version of the simulator than this, %s: %s", n, c.Done,
		c.version, strings.Join(of, ", "))
}

// Failed is a point without a result.
type Failed struct {
	Point string `json:"point"`
	Why   string `json:"why"`
}

// Refused reports whether the point was refused rather than failed: it has too few
// waves of CTAs.
func (f *Failed) Refused() bool { return strings.HasPrefix(f.Why, record.Refusal) }

// internalError matches the beginning of a failure by a fault of the simulator, perhaps in one part of a point.
var internalError = regexp.MustCompile(`^(part \d+ of \d+: )?internal error: `)

// Internal reports whether the point was ended by a fault of the simulator.
func (f *Failed) Internal() bool { return internalError.MatchString(f.Why) }

// Split returns the failed and the refused points.
func (c *Census) Split() (failed, refused []Failed) {
	for _, f := range c.Failed {
		if f.Refused() {
			refused = append(refused, f)
		} else {
			failed = append(failed, f)
		}
	}
	return failed, refused
}

// Collect reads the records of points from a store, as a version of the simulator sees them.
func (s *Spec) Collect(
	store *record.Store,
	points []record.Point,
	version string,
) ([]*record.Record, *Census, error) {
	var out []*record.Record
	c, err := s.census(store, record.Whole, points, version, func(r *record.Record) { out = append(out, r) })
	if err != nil {
		return nil, nil, err
	}
	return out, c, nil
}

// Census counts the records of points in a store, as a version of the simulator sees them. It takes less time and
// memory than Collect.
func (s *Spec) Census(store *record.Store, points []record.Point, version string) (*Census, error) {
	return s.census(store, record.Heads, points, version, func(*record.Record) {})
}

// census counts the records of points. It passes the records that are not refused to keep.
func (s *Spec) census(store *record.Store, what record.Content, points []record.Point, version string,
	keep func(*record.Record)) (*Census, error) {
	if pack := store.PackOf(); pack != "" && pack != s.Name {
		return nil, fmt.Errorf("%s is a pack of the study %s, expected one of %s", store.Dir(), pack, s.Name)
	}
	c := &Census{Points: len(points), Missing: []string{}, Failed: []Failed{}, Other: map[string]int{},
		version: version}
	err := store.Each(points, what, s.Keys().Key, func(p *record.Point, _ string, r *record.Record) error {
		if r == nil {
			c.Missing = append(c.Missing, p.String())
			return nil
		}
		switch r = r.SeenBy(version); {
		case !r.Measured():
			c.Failed = append(c.Failed, Failed{p.String(), r.Failed})
		case s.Short(r):
			c.Failed = append(c.Failed, Failed{p.String(), s.Shortage(r)})
			return nil
		default:
			c.Done++
			if r.Version != version {
				c.Other[r.Version]++
			}
		}
		keep(r)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}
