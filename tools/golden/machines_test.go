package golden

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"regexp"
	"slices"

	"kumiko/benchmarks"
	"kumiko/components/stats"
	"kumiko/gpus"
	"kumiko/gpus/capture"
	"kumiko/gpus/config"
	"kumiko/gpus/measure"
	"kumiko/gpus/result"
	"kumiko/kernel/host"
	"kumiko/regfile"
)

// Machine is a GPU with a preset of a register file.
type Machine struct {
	GPU, Design string
	// Crowded is set for machines of one SM with 16 scheduler slots, on which CTAs of programs at size test wait
	// for slots.
	Crowded bool
}

// crowded are the settings of crowded machines. crowdedOf is the GPU listed as crowded, with the presets that
// switch CTAs.
var crowded = []string{"slice.sms=1", "sm.warps=16"}

const crowdedOf = "gtx980"

// Machines lists every built-in GPU with every preset, in the order of the table. A GPU with dependences by control
// words is listed only with its own register file, since other register files refuse control words. The crowded
// machines come last.
func Machines() []Machine {
	var out, switching []Machine
	for _, g := range config.Names() {
		own := ownDesign(g)
		for _, d := range config.DesignNames() {
			if own == "" || d == own {
				out = append(out, Machine{GPU: g, Design: d})
			}
			if g == crowdedOf && switches(d) {
				switching = append(switching, Machine{GPU: g, Design: d, Crowded: true})
			}
		}
	}
	return append(out, switching...)
}

// switches reports whether a preset switches CTAs.
func switches(design string) bool {
	c, err := config.Load(config.Request{GPU: crowdedOf, Design: design})
	return err == nil && c.SM.Switch.On()
}

// request returns the configuration request of the machine.
func (m *Machine) request() config.Request {
	r := config.Request{GPU: m.GPU, Design: m.Design}
	if m.Crowded {
		r.Set = crowded
	}
	return r
}

// ownDesign returns the register file of a GPU with dependences by control words, or "" for other GPUs.
func ownDesign(gpu string) string {
	c, err := config.Load(config.Request{GPU: gpu})
	if err != nil {
		panic(err) // a built-in GPU loads
	}
	if !c.SM.Scheduler.Controlled() {
		return ""
	}
	return c.RegFile.Kind
}

// Outcome is the result of a program on a machine.
type Outcome struct {
	Cycles uint64
	Hash   string // of all counts
	// Refused is the reason for having no result, in one line; empty if there is a result.
	Refused string
}

// captures are functional executions of one program, by capture key of the compiled code.
type captures struct {
	app  *benchmarks.App
	size benchmarks.Size
	of   map[string]*capture.Capture
}

func newCaptures(app *benchmarks.App, size benchmarks.Size) *captures {
	return &captures{app: app, size: size, of: map[string]*capture.Capture{}}
}

// get returns the execution of the program for a configuration. Configurations with the same code share one
// execution.
func (c *captures) get(cfg *config.Config) (*capture.Capture, error) {
	key := cfg.CaptureKey()
	if x := c.of[key]; x != nil {
		return x, nil
	}
	program, err := c.app.New(c.size)
	if err != nil {
		return nil, err
	}
	r := capture.New(cfg, capture.Options{Printf: io.Discard})
	if err := program.Run(&host.Device{Mem: r.Memory(), Runner: r}); err != nil {
		return nil, err
	}
	c.of[key] = r.Capture()
	return c.of[key], nil
}

// run plays the program on a machine.
func (c *captures) run(m Machine) Outcome {
	cfg, err := config.Load(m.request())
	if err != nil {
		return Outcome{Refused: err.Error()}
	}
	capture, err := c.get(cfg)
	if err != nil {
		return Outcome{Refused: err.Error()}
	}
	gpu, err := gpus.New(cfg, gpus.Options{Printf: io.Discard})
	if err != nil {
		return Outcome{Refused: err.Error()}
	}
	if err := gpu.Play(capture); err != nil {
		return Outcome{Refused: err.Error()}
	}
	res := measure.NewResult(cfg, gpu)
	res.Finish(0)
	return Outcome{Cycles: res.Total.Cycles, Hash: hash(res)}
}

// hashDigits is the number of hexadecimal digits of the hash in the table: 40 bits.
const hashDigits = 10

// hash hashes all counts, launch by launch, and the storage. Zero counts are left out, so that new statistics not
// counted by a machine do not change its hash. The version and the configuration, which have keys of their own, are
// left out too.
func hash(r *result.Result) string {
	h := sha256.New()
	e := json.NewEncoder(h)
	for i := range r.Kernels {
		k := r.Kernels[i]
		k.Counts = counted(&k.Counts)
		if err := e.Encode(&k); err != nil {
			panic(err) // a result is JSON
		}
	}
	if err := e.Encode(r.Blocks); err != nil {
		panic(err)
	}
	if err := e.Encode(unshaped(r.Storage)); err != nil {
		panic(err)
	}
	return hex.EncodeToString(h.Sum(nil))[:hashDigits]
}

// unshaped returns rows of storage without the shapes of their arrays, which are younger than the table. They too join
// the hash when the whole table is written anew for another reason.
func unshaped(rows []regfile.State) []regfile.State {
	out := slices.Clone(rows)
	for i := range out {
		out[i].Kind, out[i].Width, out[i].CellPorts = "", 0, ""
	}
	return out
}

// unhashed matches distributions younger than the table: the waits at arbiters. Their sums are parts of counts that
// are hashed. They join the hash when the whole table is written anew for another reason.
var unhashed = regexp.MustCompile(`\.(read|write)_wait$`)

// counted returns c without zero counts, and without unhashed distributions.
func counted(c *result.Counts) result.Counts {
	out := *c
	zero := func(m map[string]uint64) map[string]uint64 {
		m = maps.Clone(m)
		maps.DeleteFunc(m, func(_ string, n uint64) bool { return n == 0 })
		return m
	}
	out.IssueSlots, out.WarpStates, out.Stats = zero(c.IssueSlots), zero(c.WarpStates), zero(c.Stats)
	out.CPIStack = maps.Clone(c.CPIStack)
	maps.DeleteFunc(out.CPIStack, func(_ string, n float64) bool { return n == 0 })
	out.Distributions = maps.Clone(c.Distributions)
	maps.DeleteFunc(out.Distributions, func(name string, b []stats.Bucket) bool {
		if unhashed.MatchString(name) {
			return true
		}
		for i := range b {
			if b[i].Count != 0 {
				return false
			}
		}
		return true
	})
	return out
}
