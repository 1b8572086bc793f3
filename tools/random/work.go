package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// A tally has the counts of a run.
type tally struct {
	kernels, runs, failed int
	designs               int // on the GPU with the most
}

// runner hands out the kernels of a GPU to workers, and collects their findings.
type runner struct {
	*settings
	io.Writer
	begin, shown time.Time

	mu  sync.Mutex
	sum tally
}

// run runs the kernels, and reports on them.
func run(w io.Writer, s *settings) (tally, error) {
	r := &runner{settings: s, Writer: w, begin: time.Now(), shown: time.Now()}
	for i, gpu := range s.gpus {
		from, to := s.kernels*i/len(s.gpus), s.kernels*(i+1)/len(s.gpus)
		if err := r.runOn(gpu, from, to); err != nil {
			return r.sum, err
		}
	}
	spent := time.Since(r.begin)
	beside := "not compared with C (no gcc)"
	if s.gcc != "" {
		beside = "each compared with its C form"
	}
	fmt.Fprintf(w, "seeds %d to %d: %d kernels, %s, %d runs on up to %d designs in %s: %d failed\n", s.seed,
		s.seed+uint64(s.kernels)-1, r.sum.kernels, beside, r.sum.runs, r.sum.designs, spent.Round(time.Second),
		r.sum.failed)
	if r.sum.runs == 0 && s.kernels > 0 {
		return r.sum, fmt.Errorf("nothing ran: %d kernels", r.sum.kernels)
	}
	return r.sum, nil
}

// runOn runs kernels from to to-1 on a GPU.
func (r *runner) runOn(gpu string, from, to int) error {
	next := make(chan uint64)
	var all sync.WaitGroup
	var first error
	for range max(1, min(r.workers, to-from)) {
		list, err := r.chosen(gpu)
		if err != nil {
			first = err
			break
		}
		r.sum.designs = max(r.sum.designs, len(list))
		all.Go(func() {
			for seed := range next {
				if err := r.kernel(generate(seed), list); err != nil {
					r.mu.Lock()
					first = err
					r.mu.Unlock()
				}
			}
		})
	}
	for n := from; n < to && first == nil; n++ {
		next <- r.seed + uint64(n)
	}
	close(next)
	all.Wait()
	return first
}

// kernel runs a kernel on designs of a GPU.
func (r *runner) kernel(p *program, list []*design) error {
	found, runs := p.runOn(list, r.gcc)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sum.kernels++
	r.sum.runs += runs
	if len(found) > 0 {
		r.sum.failed++
	}
	for i := range found {
		if err := r.report(&found[i]); err != nil {
			return err
		}
	}
	if now := time.Now(); now.Sub(r.shown) > 30*time.Second {
		r.shown = now
		fmt.Fprintf(r, "%d kernels, %d runs, %d failed, %s\n", r.sum.kernels, r.sum.runs, r.sum.failed,
			now.Sub(r.begin).Round(time.Second))
	}
	return nil
}

// runOn runs a kernel on designs. It returns the findings, and the number of runs.
func (p *program) runOn(list []*design, gcc string) (found []finding, runs int) {
	c, err := newCaptures(p, gcc)
	if err != nil {
		return []finding{{p: p, err: err}}, 0
	}
	for _, d := range list {
		reused := d.machine != nil
		err := c.runOn(d)
		runs++
		if err == nil {
			continue
		}
		f := finding{p: p, design: d, err: err}
		if reused {
			f.after = c.runOn(d) == nil // d has a new machine now
		}
		found = append(found, f)
	}
	return found, runs
}
