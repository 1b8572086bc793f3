package gpus_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kumiko/benchmarks"
	"kumiko/components/wire"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/measure"
	"kumiko/gpus/result"
	"kumiko/gpus/stop"
	"kumiko/kernel/host"
)

// states holds the checkpoints of a run: one taken at call number at of Due, and those of interruptions.
type states struct {
	at, looks int // at 0: none
	points    []gpus.Point
	data      [][]byte
}

func (s *states) due() bool {
	s.looks++
	return s.looks == s.at
}

func (s *states) keep(at gpus.Point, write func(io.Writer) error) error {
	var b bytes.Buffer
	err := write(&b)
	s.points, s.data = append(s.points, at), append(s.data, b.Bytes())
	return err
}

func (s *states) checkpoints() *gpus.Checkpoints { return &gpus.Checkpoints{Due: s.due, Keep: s.keep} }

// from returns checkpoints that resume from checkpoint i and keep no further ones.
func (s *states) from(i int) *gpus.Checkpoints {
	out := (&states{}).checkpoints()
	out.From = &gpus.Restart{Point: s.points[i], State: bytes.NewReader(s.data[i]),
		Executed: func() error { return nil }}
	return out
}

// smallGPU returns a GPU of two SMs with a design, the first of names that fits the design.
func smallGPU(t machinetest.T, design string, names ...string) *config.Config {
	for _, gpu := range names {
		c, err := config.Load(config.Request{GPU: gpu, Design: design, Set: []string{"sm.count=2"}})
		if err != nil {
			continue
		}
		if _, err := gpus.New(c, gpus.Options{}); err == nil {
			return c
		}
	}
	t.Fatal(design, " is for none of ", names)
	return nil
}

// checked runs a program at size test with the operand check. looks is the number of cycles between two checks for
// a due checkpoint.
func checked(t machinetest.T, c *config.Config, name string, looks wire.Cycle,
	opt gpus.Options) (*result.Result, error) {
	return checkedAt(t, c, name, benchmarks.Test, looks, opt)
}

// checkedAt does the same at a given size.
func checkedAt(t machinetest.T, c *config.Config, name string, size benchmarks.Size, looks wire.Cycle,
	opt gpus.Options) (*result.Result, error) {
	return checkedTimes(t, 1, c, name, size, looks, opt)
}

// checkedTimes runs a program several times on one machine.
func checkedTimes(t machinetest.T, times int, c *config.Config, name string, size benchmarks.Size,
	looks wire.Cycle, opt gpus.Options) (*result.Result, error) {
	opt.Check = true
	m := machinetest.Of(t, c, opt)
	gpus.LookEvery(m, looks)
	p, err := benchmarks.Find(name).New(size)
	if err != nil {
		t.Fatal(err)
	}
	for range times {
		err = errors.Join(err, p.Run(&host.Device{Mem: m.Memory(), Runner: m}))
	}
	r := measure.NewResult(c, m)
	r.Finish(0)
	return r, err
}

// goesOn runs a program without interruption and from a checkpoint in its middle, and compares the results. It
// reports whether there was a checkpoint.
func goesOn(t machinetest.T, c *config.Config, name string, looks wire.Cycle, part float64,
	workers int) bool {
	whole, err := checked(t, c, name, 0, gpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := &states{at: 1 + int(part*float64(whole.Total.Cycles)/float64(looks))}
	kept, err := checked(t, c, name, looks, gpus.Options{Checkpoints: s.checkpoints()})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(whole, kept); d != "" {
		t.Fatal("keeping checkpoints changes the result (-without +with):\n", d)
	}
	if len(s.data) == 0 {
		return false
	}
	again, err := checked(t, c, name, looks, gpus.Options{Workers: workers, Checkpoints: s.from(len(s.data) - 1)})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(whole, again); d != "" {
		t.Fatal("the result from ", s.points[len(s.data)-1], " is another (-whole +resumed):\n", d)
	}
	return true
}

func TestARunThatGoesOnFromACheckpointHasTheSameResultWithEveryDesign(t *testing.T) {
	if testing.Short() {
		t.Skip("make check runs this test")
	}
	from := 0
	for _, design := range config.DesignNames() {
		if goesOn(t, smallGPU(t, design, "gtx980", "fermi", "gtx980-sm52", "rtx-a6000"), "bfs", 101, 0.3, 1) {
			from++
		}
	}
	if want := len(config.DesignNames()); from != want {
		t.Errorf("%d of %d designs had a checkpoint", from, want)
	}
}

func TestARunThatGoesOnFromAnyPointHasTheSameResult(t *testing.T) {
	programs := benchmarks.List()
	from := 0
	rapid.Check(t, func(t *rapid.T) {
		gpu := rapid.SampledFrom([]string{"gtx980", "fermi", "gtx980-sm52", "rtx-a6000", "rtx-2070s"}).Draw(t, "gpu")
		name := programs[rapid.IntRange(0, len(programs)-1).Draw(t, "program")].Name
		looks := rapid.Uint64Range(1, 300).Draw(t, "looks")
		part := rapid.Float64Range(0, 0.9).Draw(t, "part")
		if goesOn(t, smallGPU(t, "", gpu), name, looks, part, rapid.SampledFrom([]int{1, 2, 3, 8}).Draw(t, "workers")) {
			from++
		}
	})
	if from == 0 {
		t.Error("no run had a checkpoint")
	}
}

func TestARunGoesOnFromACheckpointOfARunThatWentOn(t *testing.T) {
	if testing.Short() {
		t.Skip("a chain of whole runs")
	}
	c := smallGPU(t, "", "gtx980")
	first := &states{at: 7}
	whole, err := checked(t, c, "backprop", 101, gpus.Options{Checkpoints: first.checkpoints()})
	if err != nil || len(first.data) == 0 {
		t.Fatal(err, len(first.data))
	}
	second := &states{at: 5}
	o := second.checkpoints()
	o.From = first.from(0).From
	if _, err := checked(t, c, "backprop", 101, gpus.Options{Checkpoints: o}); err != nil || len(second.data) == 0 {
		t.Fatal(err, len(second.data))
	}
	again, err := checked(t, c, "backprop", 101, gpus.Options{Checkpoints: second.from(len(second.data) - 1)})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(whole, again); d != "" {
		t.Error(d)
	}
}

// A run without checkpoints so far is interrupted, and resumes from the checkpoint kept at the interruption.
func TestAnInterruptedRunKeepsItsState(t *testing.T) {
	c := smallGPU(t, "", "gtx980")
	ctx, cancel := context.WithCancel(t.Context())
	s := &states{}
	o := s.checkpoints()
	o.Due = func() bool {
		if s.looks++; s.looks == 9 {
			cancel()
		}
		return false
	}
	_, err := checked(t, c, "hotspot", 101, gpus.Options{Context: ctx, Checkpoints: o})
	if !errors.Is(err, stop.ErrInterrupted) {
		t.Fatalf("error %v, want that the run was interrupted", err)
	}
	if len(s.data) == 0 {
		t.Skip("the streams were interrupted, so that there is no state to be kept")
	}
	whole, err := checked(t, c, "hotspot", 0, gpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := checked(t, c, "hotspot", 101, gpus.Options{Checkpoints: s.from(0)})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(whole, again); d != "" {
		t.Error(d)
	}
}

func TestACheckpointOfAnotherProgramIsRefused(t *testing.T) {
	c := smallGPU(t, "", "gtx980")
	s := &states{at: 3}
	if _, err := checked(t, c, "hotspot", 101, gpus.Options{Checkpoints: s.checkpoints()}); err != nil ||
		len(s.data) == 0 {
		t.Fatal(err, len(s.data))
	}
	if _, err := checked(t, c, "sgemm", 101, gpus.Options{Checkpoints: s.from(0)}); err == nil {
		t.Error("no error")
	}
	changed := errors.New("changed")
	o := s.from(0)
	o.From.Executed = func() error { return changed }
	if _, err := checked(t, c, "hotspot", 101, gpus.Options{Checkpoints: o}); !errors.Is(err, changed) {
		t.Errorf("error %v, want what the caller says", err)
	}
}
