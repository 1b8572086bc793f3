package study

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"kumiko/benchmarks"
	"kumiko/gpus/stop"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/sass"
)

// Traced is a program of recorded traces. Its files are read again for
// each point.
type Traced struct {
	name    string
	files   []string
	streams sass.Streams

	once sync.Once
	sum  string // of the files' bytes, in order
	err  error
}

// openTraces makes an application of a folder of traces. They have launches and registers of
// their own, at every size the same.
func (s *Spec) openTraces(p *Program) (*benchmarks.App, error) {
	list, err := sass.OpenList(s.resolvePath(p.Traces))
	if err != nil {
		return nil, err
	}
	r := &Traced{name: p.Name}
	for _, c := range list.Commands {
		if c.Trace == "" {
			continue
		}
		h, err := sass.ReadHeader(c.Trace, sass.Limits{})
		if err != nil {
			return nil, err
		}
		r.streams.Add(h)
		r.files = append(r.files, c.Trace)
	}
	if len(r.files) == 0 {
		return nil, fmt.Errorf("%s lists no traces", p.Traces)
	}
	if s.traces == nil {
		s.traces = map[string]*Traced{}
	}
	s.traces[p.Name] = r
	return &benchmarks.App{Name: p.Name, Suite: "of the study", Summary: p.Doc,
		New: func(benchmarks.Size) (host.Program, error) {
			return nil, fmt.Errorf("%s is a program of traces, which nobody executes", p.Name)
		}}, nil
}

// Traces returns the traces of a benchmark of the study; nil: it is executed.
func (s *Spec) Traces(benchmark string) *Traced { return s.traces[benchmark] }

// Queue returns the place of a launch among those that may overlap; nil: it runs alone.
func (r *Traced) Queue(l *sass.Launch) *host.Queue { return r.streams.Queue(&l.Header) }

// Digest returns the SHA-256, in hexadecimal, of the files.
func (r *Traced) Digest() (string, error) {
	r.once.Do(func() {
		h := sha256.New()
		for _, file := range r.files {
			f, err := os.Open(file)
			if err == nil {
				_, err = io.Copy(h, f)
				err = errors.Join(err, f.Close())
			}
			if err != nil {
				r.err = fmt.Errorf("program %s: %w", r.name, err)
				return
			}
		}
		r.sum = hex.EncodeToString(h.Sum(nil))
	})
	return r.sum, r.err
}

// Each reads the launches in order. Launches of the same code share one kernel.
func (r *Traced) Each(ctx context.Context, do func(*sass.Launch) error) error {
	kernels := map[[sha256.Size]byte]*ir.Kernel{}
	for _, file := range r.files {
		l, err := sass.Load(file, sass.Options{Quit: ctx.Done()})
		if errors.Is(err, sass.ErrStopped) {
			return stop.ErrInterrupted
		}
		if err != nil {
			return err
		}
		code := l.Code()
		if k := kernels[code]; k != nil {
			l.Kernel = k
		} else {
			kernels[code] = l.Kernel
		}
		if err := do(l); err != nil {
			return err
		}
	}
	return nil
}
