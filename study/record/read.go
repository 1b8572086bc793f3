package record

import (
	"kumiko/kernel/ir"
	"runtime"
	"sync"
	"sync/atomic"
)

// reading reads the records of points from a store.
type reading struct {
	// key returns the key of a point. A pack needs none.
	key   func(*Point) (string, error)
	store *Store
	heads bool // read the heads of the records alone, without the results
}

// Content is what is read of records.
type Content bool

const (
	// Heads are the records without results: they show whether a point is done, in less time and memory.
	Heads Content = false
	Whole Content = true
)

// Each calls see for every point with its key and its record, nil for none, in the order of the points. A pack needs no
// keys. The records are read by as many goroutines as there are processors.
func (s *Store) Each(points []Point, what Content, key func(*Point) (string, error),
	see func(*Point, string, *Record) error) error {
	return (&reading{key: key, store: s, heads: what == Heads}).each(points, see)
}

// batch is the number of records read between two calls of Store.Progress.
const batch = 128

// stored is the key of a point and its record, nil for none.
type stored struct {
	key    string
	record *Record
	damage error // of the record's file
	err    error
}

func (r *reading) each(points []Point, see func(p *Point, key string, rec *Record) error) error {
	report := r.store.Progress
	if report == nil {
		report = func(int, int) {}
	}
	defer report(len(points), len(points))
	got := make([]stored, min(batch, len(points)))
	for from := 0; from < len(points); from += batch {
		report(from, len(points))
		part := points[from:min(from+batch, len(points))]
		r.read(part, got)
		for i := range part {
			f := &got[i]
			if f.err == nil && f.damage != nil {
				f.err = r.store.quarantine(&part[i], f.key, f.damage)
			}
			if f.err == nil {
				f.err = see(&part[i], f.key, f.record)
			}
			if f.err != nil {
				return f.err
			}
		}
	}
	return nil
}

// read reads the stored records of points.
func (r *reading) read(points []Point, into []stored) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(points)) {
		all.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(points) {
					return
				}
				into[i] = r.find(&points[i])
			}
		})
	}
	all.Wait()
}

func (r *reading) find(p *Point) (f stored) {
	defer ir.Caught(&f.err)
	if r.store.pack == nil { // a pack needs no key, and so no program is begun
		if f.key, f.err = r.key(p); f.err != nil {
			return f
		}
	}
	f.record, f.damage, f.err = r.store.read(p, f.key, r.heads)
	return f
}
