package sass

import (
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// Closer is a source with a Close method, callable before its end.
type Closer interface {
	stream.Source
	Close()
}

// Record returns a source with the CTAs of src. It also writes them as a trace. The trace is kept if src is read to
// its end.
func (r *Recorder) Record(k *ir.Kernel, grid, block [3]int, sharedBytes int, src Closer) (Closer, error) {
	w, err := r.Launch(k, grid, block, sharedBytes)
	if err != nil {
		return nil, err
	}
	return &tee{src: src, w: w}, nil
}

type tee struct {
	src Closer
	w   *Writer // nil once finished
	err error
}

func (t *tee) Next() *stream.CTA {
	if t.w == nil {
		return nil
	}
	c := t.src.Next()
	switch {
	case c != nil:
		if t.err = t.w.CTA(c); t.err == nil {
			return c
		}
		t.w.Abort()
	case t.src.Err() != nil:
		t.w.Abort()
	default:
		t.err = t.w.Close()
	}
	t.w = nil
	return nil
}

func (t *tee) Err() error {
	if t.err != nil {
		return t.err
	}
	return t.src.Err()
}

func (t *tee) Close() {
	if t.w != nil {
		t.w.Abort()
		t.w = nil
	}
	t.src.Close()
}
