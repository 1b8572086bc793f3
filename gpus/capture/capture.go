// Package capture executes a host program once, without timing, and keeps the streams of its launches. Any number of
// machines can play them.
package capture

import (
	"context"
	"io"
	"os"
	"unsafe"

	"kumiko/gpus/code"
	"kumiko/gpus/config"
	"kumiko/gpus/stop"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/stream"
)

// Ahead is how many executed CTAs the functional execution may be ahead of the dispatcher. It bounds memory and changes
// no result.
const Ahead = 8

// Capture holds the launches of a host program with the streams of their warps, recorded by one functional
// execution. A complete capture is immutable, and any number of machines may play it concurrently.
type Capture struct {
	launches []Executed
	bytes    int
	overflow bool
}

// Executed is one executed launch.
type Executed struct {
	Launch host.Launch
	Kernel *ir.Kernel // the streams refer to its PCs
	CTAs   []*stream.CTA
	insts  uint64 // warp instructions
}

// Executed returns the launches with their streams, in order.
func (c *Capture) Executed() []Executed { return c.launches }

// NotExecuted returns the capture of a program recorded elsewhere. The capture is marked as overflowed and
// lists no launches.
func NotExecuted() *Capture { return &Capture{overflow: true} }

// Launched summarizes one launch of a capture.
type Launched struct {
	Kernel           string
	CTAs             int
	WarpInstructions uint64
}

// Launches lists the launches, in order.
func (c *Capture) Launches() []Launched {
	var out []Launched
	for i := range c.launches {
		l := &c.launches[i].Launch
		out = append(out, Launched{l.Kernel, l.CTAs(), c.launches[i].insts})
	}
	return out
}

// Sources returns the streams of each launch, in order.
func (c *Capture) Sources() []stream.Source {
	var out []stream.Source
	for i := range c.launches {
		out = append(out, NewPlayback(c.launches[i].Kernel, c.launches[i].CTAs))
	}
	return out
}

// Overflow reports whether the streams exceeded the limit. All streams are then dropped, and the capture
// cannot be played.
func (c *Capture) Overflow() bool { return c.overflow }

// Options configure an execution without timing.
type Options struct {
	Context context.Context // cancels; nil: never
	Printf  io.Writer       // output of printf in kernels; nil: standard error
	// MostBytes bounds the streams; 0: no bound.
	MostBytes int
}

// Capturer executes the launches of a host program without timing and keeps
// their streams. It implements host.Runner.
type Capturer struct {
	opt     Options
	mem     mem.Memory
	kernels *code.StreamCompiler
	runner  emu.Runner
	out     Capture
}

// New returns a capturer for code compiled for the configuration.
func New(c *config.Config, opt Options) *Capturer {
	spec := c.CompileSpec()
	r := &Capturer{opt: opt, kernels: code.NewStreamCompiler(c)}
	if opt.Printf == nil {
		opt.Printf = os.Stderr
	}
	limits := emu.Limits{SharedBytes: spec.CTAShared, LockStep: spec.LockStep}
	r.runner = emu.Runner{Mem: &r.mem, Compile: r.kernels.Compile, Limits: limits, Out: opt.Printf,
		Values: c.RegFile.Values()}
	return r
}

// Memory returns the device's global memory.
func (c *Capturer) Memory() *mem.Memory { return &c.mem }

// Capture returns the launches captured so far.
func (c *Capturer) Capture() *Capture { return &c.out }

// Launch executes a launch to its end.
func (c *Capturer) Launch(l *host.Launch) error {
	e, err := c.runner.Prepare(l)
	if err != nil {
		return err
	}
	k, err := c.kernels.Compile(l)
	if err != nil {
		return err
	}
	src := emu.NewSource(e, Ahead)
	defer src.Close()
	if c.opt.Context != nil {
		defer context.AfterFunc(c.opt.Context, src.Interrupt)()
	}
	one := Executed{Launch: *l, Kernel: k}
	for cta := src.Next(); cta != nil; cta = src.Next() {
		c.keep(&one, cta)
	}
	if err := src.Err(); err != nil {
		return err
	}
	if c.opt.Context != nil && c.opt.Context.Err() != nil {
		return stop.ErrInterrupted
	}
	c.out.launches = append(c.out.launches, one)
	return nil
}

// keep adds a CTA to a launch. At the limit it drops the streams of all launches instead.
func (c *Capturer) keep(l *Executed, cta *stream.CTA) {
	insts, _ := cta.Instructions()
	l.insts += insts
	if c.out.overflow {
		return
	}
	c.out.bytes += Bytes(cta)
	if c.opt.MostBytes > 0 && c.out.bytes > c.opt.MostBytes {
		c.out.overflow = true
		l.CTAs = nil
		for i := range c.out.launches {
			c.out.launches[i].CTAs = nil
		}
		return
	}
	l.CTAs = append(l.CTAs, cta)
}

// Bytes estimates the memory used by a CTA's streams.
func Bytes(c *stream.CTA) int {
	const run, access = int(unsafe.Sizeof(stream.Run{})), int(unsafe.Sizeof(stream.Access{}))
	n := 0
	for i := range c.Warps {
		w := &c.Warps[i]
		n += run*len(w.Runs) + 4*len(w.Masks) + access*len(w.Accesses)
		for k := range w.Accesses {
			n += 8 * len(w.Accesses[k].List())
		}
	}
	for _, v := range c.Values {
		n += len(v)
	}
	return n
}

// playback is the source of a captured launch's CTAs. All machines share the CTAs; each machine sets its own
// kernel.
type playback struct {
	kernel *ir.Kernel
	ctas   []*stream.CTA
}

// NewPlayback returns the source of a launch's CTAs, for a kernel that fits their streams.
func NewPlayback(k *ir.Kernel, ctas []*stream.CTA) *playback { return &playback{kernel: k, ctas: ctas} }

// Next implements stream.Source.
func (p *playback) Next() *stream.CTA {
	if len(p.ctas) == 0 {
		return nil
	}
	c := *p.ctas[0]
	c.Kernel = p.kernel
	p.ctas = p.ctas[1:]
	return &c
}

// Err implements stream.Source.
func (p *playback) Err() error { return nil }

// Close implements Source.
func (p *playback) Close() { p.ctas = nil }
