package gpus

import (
	"context"
	"io"
	"os"
	"unsafe"

	"kumiko/gpus/config"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/stream"
)

// Capture holds the launches of a host program with the streams of their warps, recorded by one functional
// execution. A complete capture is immutable, and any number of machines may play it concurrently.
type Capture struct {
	launches []captured
	bytes    int
	overflow bool
}

// captured is one executed launch.
type captured struct {
	launch host.Launch
	kernel *ir.Kernel // the streams refer to its PCs
	ctas   []*stream.CTA
	insts  uint64 // warp instructions
}

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
		l := &c.launches[i].launch
		out = append(out, Launched{l.Kernel, l.CTAs(), c.launches[i].insts})
	}
	return out
}

// Sources returns the streams of each launch, in order.
func (c *Capture) Sources() []stream.Source {
	var out []stream.Source
	for i := range c.launches {
		out = append(out, &playback{kernel: c.launches[i].kernel, ctas: c.launches[i].ctas})
	}
	return out
}

// Overflow reports whether the streams exceeded the limit. All streams are then dropped, and the capture
// cannot be played.
func (c *Capture) Overflow() bool { return c.overflow }

// CaptureOptions configure an execution without timing.
type CaptureOptions struct {
	Context context.Context // cancels; nil: never
	Printf  io.Writer       // output of printf in kernels; nil: standard error
	// MostBytes bounds the streams; 0: no bound.
	MostBytes int
}

// Capturer executes the launches of a host program without timing and keeps
// their streams. It implements host.Runner.
type Capturer struct {
	opt     CaptureOptions
	mem     mem.Memory
	kernels compiled
	runner  emu.Runner
	out     Capture
}

// NewCapturer returns a capturer for code compiled for the configuration.
func NewCapturer(c *config.Config, opt CaptureOptions) *Capturer {
	spec := c.CompileSpec()
	r := &Capturer{opt: opt, kernels: newCompiled(spec)}
	if opt.Printf == nil {
		opt.Printf = os.Stderr
	}
	limits := emu.Limits{SharedBytes: spec.CTAShared, LockStep: spec.LockStep}
	r.runner = emu.Runner{Mem: &r.mem, Compile: r.compile, Limits: limits, Out: opt.Printf, Values: c.RegFile.Values()}
	return r
}

// Memory returns the device's global memory.
func (c *Capturer) Memory() *mem.Memory { return &c.mem }

// Capture returns the launches captured so far.
func (c *Capturer) Capture() *Capture { return &c.out }

func (c *Capturer) compile(l *host.Launch) (*ir.Kernel, error) {
	k, err := kernelOf(l)
	if err != nil {
		return nil, err
	}
	key := keyOf(k, l)
	out := c.kernels.done[key]
	if out == nil {
		if out, _, err = c.kernels.spec.Compile(k, key.Launched); err == nil {
			c.kernels.done[key] = out
		}
	}
	return out, err
}

// Launch executes a launch to its end.
func (c *Capturer) Launch(l *host.Launch) error {
	e, err := c.runner.Prepare(l)
	if err != nil {
		return err
	}
	k, err := c.compile(l)
	if err != nil {
		return err
	}
	src := emu.NewSource(e, ahead)
	defer src.Close()
	if c.opt.Context != nil {
		defer context.AfterFunc(c.opt.Context, src.Interrupt)()
	}
	one := captured{launch: *l, kernel: k}
	for cta := src.Next(); cta != nil; cta = src.Next() {
		c.keep(&one, cta)
	}
	if err := src.Err(); err != nil {
		return err
	}
	if c.opt.Context != nil && c.opt.Context.Err() != nil {
		return ErrInterrupted
	}
	c.out.launches = append(c.out.launches, one)
	return nil
}

// keep adds a CTA to a launch. At the limit it drops the streams of all launches instead.
func (c *Capturer) keep(l *captured, cta *stream.CTA) {
	insts, _ := cta.Instructions()
	l.insts += insts
	if c.out.overflow {
		return
	}
	c.out.bytes += streamBytes(cta)
	if c.opt.MostBytes > 0 && c.out.bytes > c.opt.MostBytes {
		c.out.overflow = true
		l.ctas = nil
		for i := range c.out.launches {
			c.out.launches[i].ctas = nil
		}
		return
	}
	l.ctas = append(l.ctas, cta)
}

// streamBytes estimates the memory used by a CTA's streams.
func streamBytes(c *stream.CTA) int {
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
