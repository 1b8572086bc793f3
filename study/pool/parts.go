package pool

import (
	"context"
	"slices"

	"kumiko/gpus/sampling"
	"kumiko/study"
	"kumiko/study/record"
)

// ranges cuts launches of given work into at most n parts, with the largest part as small as possible. It makes no
// more parts than needed for this.
func ranges(work []uint64, n int) []record.Range {
	var least, most uint64
	for _, w := range work {
		least = max(least, w)
		most += w
	}
	for least < most {
		if mid := least + (most-least)/2; len(filled(work, mid)) <= n {
			most = mid
		} else {
			least = mid + 1
		}
	}
	return filled(work, least)
}

// filled cuts launches into parts, each as long as its work allows.
func filled(work []uint64, most uint64) []record.Range {
	var out []record.Range
	var sum uint64
	for i, w := range work {
		if sum += w; len(out) == 0 || sum > most {
			out = append(out, record.Range{From: i})
			sum = w
		}
		out[len(out)-1].To = i + 1
	}
	return out
}

// split returns the launches of a point; nil: all.
func (g *group) split(p *record.Point) *record.Split {
	if p.Part == 0 {
		return nil
	}
	out := &record.Split{Launches: len(g.work), Parts: []record.Range{}}
	if all := ranges(g.work, p.Parts); p.Part <= len(all) {
		out.Parts = append(out.Parts, all[p.Part-1])
	}
	return out
}

// partOf returns the launches to simulate on the machine of a point; nil: all.
func partOf(s *record.Split) *sampling.Part {
	switch {
	case s == nil:
		return nil
	case len(s.Parts) == 0:
		return &sampling.Part{}
	}
	return &sampling.Part{From: s.Parts[0].From, To: s.Parts[0].To}
}

// runSplit executes points, some of them split, and joins their parts.
func (p *Pool) runSplit(ctx context.Context, points []record.Point) (*Outcome, error) {
	need := &record.Need{Version: p.Version, Keep: p.Keep, Check: p.Check}
	open := make([]bool, len(points))
	out := &Outcome{Points: len(points)}
	for i := range points {
		r, err := p.keys.Stored(p.Store, &points[i])
		if err != nil {
			return nil, err
		}
		if open[i] = !p.Spec.Met(r, need); !open[i] {
			out.Before++
		}
	}
	pieces, err := p.Spec.Pieces(p.Store, p.keys, points, need)
	if err != nil {
		return nil, err
	}
	of, err := p.runAll(ctx, pieces)
	if err != nil {
		return nil, err
	}
	joined, err := p.Spec.Join(p.Store, p.keys, points, need)
	if err != nil {
		return nil, err
	}
	for i := range points {
		if !open[i] {
			continue
		}
		if err := p.outcome(&points[i], out, need, joined); err != nil {
			return nil, err
		}
	}
	for _, r := range joined {
		if p.Report != nil {
			p.Report(Event{Record: r, Done: of.Points, Total: of.Points})
		}
	}
	return out, nil
}

// outcome counts the outcome of a point.
func (p *Pool) outcome(pt *record.Point, out *Outcome, need *record.Need, joined []*record.Record) error {
	r, err := p.keys.Stored(p.Store, pt)
	if err != nil {
		return err
	}
	isJoined := slices.ContainsFunc(joined, func(j *record.Record) bool { return j.Point.Same(pt) })
	executed := r != nil && (pt.Split == "" || isJoined)
	if r != nil {
		r = r.SeenBy(p.Version)
	}
	switch {
	case p.Spec.Met(r, need):
		out.Done++
	case r != nil && r.Measured() && p.Spec.Short(r):
		out.Refused = append(out.Refused, study.Failed{Point: pt.String(), Why: p.Spec.Shortage(r)})
	case r != nil && r.Refused():
		out.Refused = append(out.Refused, study.Failed{Point: pt.String(), Why: r.Failed})
	case !executed:
		out.Left++
	default:
		out.Failed = append(out.Failed, study.Failed{Point: pt.String(), Why: r.Failed})
	}
	return nil
}

// split reports whether the points contain a run split into parts.
func split(points []record.Point) bool {
	return slices.ContainsFunc(points, func(p record.Point) bool { return p.Split != "" && p.Part == 0 })
}
