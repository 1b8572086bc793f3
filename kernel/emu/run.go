package emu

import (
	"io"
	"sync"
	"time"

	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/stream"
)

// Run executes a launch to its end, without streams.
func Run(l *Launch) (Stats, error) {
	e := newEngine(l, false, nil)
	err := e.run()
	e.leave()
	return e.stats(), err
}

// Source executes a launch in a goroutine of its own and hands over its CTAs.
// It implements stream.Source.
type Source struct {
	ctas chan *stream.CTA
	quit chan struct{}
	once sync.Once
	e    *engine
	end  chan struct{}
}

// NewSource begins a launch. The execution is at most ahead finished CTAs ahead
// of the consumer, and at least one.
func NewSource(l *Launch, ahead int) *Source {
	s := &Source{ctas: make(chan *stream.CTA, max(ahead, 1)-1), quit: make(chan struct{}), end: make(chan struct{})}
	s.e = newEngine(l, true, func(c *stream.CTA) bool {
		select {
		case s.ctas <- c:
			return true
		case <-s.quit:
			return false
		}
	})
	go func() {
		defer close(s.ctas)
		defer close(s.end) // before ctas, so Err is valid once Next has returned nil
		_ = s.e.run()      // Err reports it
		s.e.leave()
	}()
	return s
}

// Next waits for the next CTA. It returns nil after the last one, after an error and after Close. After it has
// returned nil, the launch no longer touches memory.
func (s *Source) Next() *stream.CTA { return <-s.ctas }

// NextWithin is Next with a time limit. It reports false if no CTA comes in time.
func (s *Source) NextWithin(d time.Duration) (*stream.CTA, bool) {
	select {
	case c := <-s.ctas:
		return c, true
	default:
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case c := <-s.ctas:
		return c, true
	case <-t.C:
		return nil, false
	}
}

// Err returns the error of the launch, once Next has returned nil.
func (s *Source) Err() error {
	select {
	case <-s.end:
		return s.e.err
	default:
		return nil
	}
}

// Stats returns the counts of the launch, once Next has returned nil.
func (s *Source) Stats() Stats {
	<-s.end
	return s.e.stats()
}

// Interrupt stops the launch soon. Next then returns nil after the last finished CTA, and Err nil.
func (s *Source) Interrupt() {
	s.once.Do(func() {
		s.e.quit.Store(true)
		close(s.quit)
	})
}

// Close stops the launch and waits until it no longer touches memory.
func (s *Source) Close() {
	s.Interrupt()
	<-s.end
	for range s.ctas { // finished CTAs not fetched
	}
}

// Runner executes launches functionally: a host.Runner.
type Runner struct {
	Mem *mem.Memory
	// Compile prepares the kernel of a launch; nil uses the module's kernel as it is.
	Compile func(*host.Launch) (*ir.Kernel, error)
	Limits  Limits
	Out     io.Writer // of printf; nil: standard error
	Values  bool      // streams have the classes of written values (stream.CTA.Values)
	// Done, unless nil, is called after every successful launch.
	Done func(*host.Launch, Stats)

	progs map[*ir.Kernel]*Program
}

// Prepare compiles a launch's kernel and checks the launch.
func (r *Runner) Prepare(l *host.Launch) (*Launch, error) {
	k, err := r.kernel(l)
	if err != nil {
		return nil, err
	}
	p := r.progs[k]
	if p == nil {
		prepare := Prepare
		if r.Values {
			prepare = prepareValued
		}
		if p, err = prepare(k); err != nil {
			return nil, err
		}
		if r.progs == nil {
			r.progs = make(map[*ir.Kernel]*Program)
		}
		r.progs[k] = p
	}
	return NewLaunch(p, r.Mem, l, r.Limits, r.Out)
}

func (r *Runner) kernel(l *host.Launch) (*ir.Kernel, error) {
	if r.Compile != nil {
		return r.Compile(l)
	}
	if k := l.Module.Kernel(l.Kernel); k != nil {
		return k, nil
	}
	return nil, noKernel(l)
}

// Launch runs a launch to its end.
func (r *Runner) Launch(l *host.Launch) error {
	e, err := r.Prepare(l)
	if err != nil {
		return err
	}
	s, err := Run(e)
	if err == nil && r.Done != nil {
		r.Done(l, s)
	}
	return err
}
