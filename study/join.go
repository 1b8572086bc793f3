package study

import (
	"fmt"

	"kumiko/gpus/result"
	"kumiko/study/record"
)

// Pieces returns the points to execute: the ones that lack the needed record in the store. A split
// point counts by its parts.
func (s *Spec) Pieces(
	store *record.Store,
	keys *Keys,
	points []record.Point,
	need *record.Need,
) ([]record.Point, error) {
	var out []record.Point
	for i := range points {
		p := &points[i]
		if p.Split == "" || p.Part > 0 {
			out = append(out, *p)
			continue
		}
		r, err := keys.Stored(store, p)
		switch {
		case err != nil:
			return nil, err
		case s.Met(r, need):
			continue
		case r != nil && need.Meets(r): // except for its waves, to be judged again
			out = append(out, *p)
			continue
		}
		for k := range p.Parts {
			part := p.AsPart(k + 1)
			r, err := keys.Stored(store, &part)
			if err != nil {
				return nil, err
			}
			if !s.Met(r, need) {
				out = append(out, part)
			}
		}
	}
	return out, nil
}

// Join makes the records of points with all parts in a store, and returns them. It removes the parts of a point
// with a result, and keeps the parts of other points, so only the failed parts are executed again.
func (s *Spec) Join(
	store *record.Store,
	keys *Keys,
	points []record.Point,
	need *record.Need,
) ([]*record.Record, error) {
	var out []*record.Record
	for i := range points {
		p := &points[i]
		if p.Split == "" || p.Part > 0 {
			continue
		}
		r, err := keys.Stored(store, p)
		if err != nil {
			return nil, err
		}
		if s.Met(r, need) || r != nil && need.Meets(r) {
			if r.Measured() { // a process may have been killed before it had removed all parts
				err = dropParts(store, keys, p)
			}
			if err != nil {
				return nil, err
			}
			continue
		}
		if r, err = s.join(store, keys, p, need); err != nil {
			return nil, err
		}
		if r != nil {
			out = append(out, r)
		}
	}
	return out, nil
}

// join makes the record of a point from the records of its parts, or returns nil if some are missing.
func (s *Spec) join(store *record.Store, keys *Keys, p *record.Point, need *record.Need) (*record.Record, error) {
	var parts []*record.Record
	for k := range p.Parts {
		part := p.AsPart(k + 1)
		r, err := keys.Stored(store, &part)
		if err != nil {
			return nil, err
		}
		if r == nil {
			return nil, nil
		}
		if r = r.SeenBy(need.Version); r.Measured() && !need.Meets(r) || r.Version != need.Version {
			return nil, nil
		}
		parts = append(parts, r)
	}
	key, err := keys.Key(p)
	if err != nil {
		return nil, err
	}
	r := joined(p, key, parts)
	if err := store.Put(r); err != nil || !r.Measured() {
		return r, err
	}
	return r, dropParts(store, keys, p)
}

// dropParts removes the records of the parts of a point.
func dropParts(store *record.Store, keys *Keys, p *record.Point) error {
	for k := range p.Parts {
		part := p.AsPart(k + 1)
		key, err := keys.Key(&part)
		if err != nil {
			return err
		}
		if err := store.Drop(&part, key); err != nil {
			return err
		}
	}
	return nil
}

// joined returns the record of a point from the records of its parts in order.
func joined(p *record.Point, key string, parts []*record.Record) *record.Record {
	first := parts[0]
	out := &record.Record{Format: record.Format, Point: *p, Key: key, Version: first.Version, Checked: true}
	for _, r := range parts {
		out.Checked = out.Checked && r.Checked
		out.Seconds += r.Seconds
		if r.Waves != nil && (out.Waves == nil || *r.Waves < *out.Waves) {
			out.Waves = r.Waves
		}
		switch {
		case r.Measured() || out.Failed != "":
		case r.Refused():
			out.Failed = r.Failed
		default:
			out.Failed = fmt.Sprintf("part %d of %d: %s", r.Point.Part, p.Parts, r.Failed)
		}
	}
	if !out.Measured() {
		return out
	}
	res := *first.Result
	res.Kernels, res.Blocks, res.Checked = nil, result.Blocks{}, out.Checked
	var cycles uint64
	out.Split = &record.Split{Launches: first.Split.Launches}
	for _, r := range parts {
		out.Split.Parts = append(out.Split.Parts, r.Split.Parts...)
		res.Kernels = append(res.Kernels, r.Result.Kernels...)
		res.Blocks.Add(&r.Result.Blocks)
		cycles += r.Result.Total.Cycles
	}
	res.Blocks.Over(cycles)
	res.Finish(0)
	if out.Split.Launches > record.MostKernels {
		res.Kernels = record.Merge(res.Kernels)
	}
	out.Result = &res
	return out
}
