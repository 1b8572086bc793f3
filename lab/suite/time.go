package suite

import (
	"syscall"
	"time"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/kernel/host"
)

// Timing is the time of an application on the timed model, at size study on four SMs of the GTX 980.
type Timing struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"user_seconds"` // processor time in user mode
	Insts   uint64  `json:"warp_instructions"`
	Cycles  uint64  `json:"cycles"`
}

// Time runs an application at size study on the slice.
func Time(a *benchmarks.App) (Timing, error) {
	t := Timing{Name: a.Name}
	cfg, err := config.Load(config.Request{GPU: "gtx980", Set: []string{"slice.sms=4"}})
	if err != nil {
		return t, err
	}
	m, err := gpus.New(cfg, gpus.Options{})
	if err != nil {
		return t, err
	}
	p, err := a.New(benchmarks.Study)
	if err != nil {
		return t, err
	}
	before := userTime()
	err = p.Run(&host.Device{Mem: m.Memory(), Runner: m})
	t.Seconds = (userTime() - before).Seconds()
	for _, k := range m.Results() {
		t.Insts += k.WarpInstructions
		t.Cycles += k.Cycles
	}
	return t, err
}

// userTime returns the processor time of the process in user mode.
func userTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano())
}
