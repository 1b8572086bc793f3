package gpus_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/stop"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

func init() {
	register("lossy", "loses the third operation of scheduler 0",
		func(env *regfile.Env, f regfile.Design) regfile.Design { return newLossy(env, f) })
	register("open", "has an output port without a link", func(env *regfile.Env, f regfile.Design) regfile.Design {
		l := newLossy(env, f)
		l.more.Init(&l.Comp, "More")
		return l
	})
	register("stale", "says that a result can be read before it is written",
		func(env *regfile.Env, f regfile.Design) regfile.Design { return newStale(env, f) })
}

// register registers a kind of register file for tests that puts something before a conventional one.
func register(name, doc string, before func(*regfile.Env, regfile.Design) regfile.Design) {
	regfile.Register(regfile.Kind{Name: name, Doc: "for tests: " + doc}, regfile.Builder[conventional.Spec]{
		Default: conventional.Default,
		Build: func(env *regfile.Env, s *conventional.Spec) (regfile.Design, error) {
			f, err := conventional.New(env, s)
			if err != nil {
				return nil, err
			}
			return before(env, f), nil
		},
	})
}

// lossy is placed before a conventional register file and drops one operation.
type lossy struct {
	wire.Comp
	in    wire.InPort[op.Op]
	out   wire.OutPort[op.Op]
	ports regfile.Ports
	seen  int
	more  wire.OutPort[op.Op] // of the kind open
}

func newLossy(env *regfile.Env, f regfile.Design) *lossy {
	l := &lossy{ports: *f.DataPorts()}
	l.Init(env.Name+".Lossy", env.Domain, l)
	l.in.Init(&l.Comp, "In", 2)
	l.out.Init(&l.Comp, "Out")
	wire.Connect(&l.out, l.ports.Issue[0], 1)
	l.ports.Issue = append([]*wire.InPort[op.Op]{&l.in}, l.ports.Issue[1:]...)
	return l
}

func (l *lossy) DataPorts() *regfile.Ports { return &l.ports }

func (l *lossy) Tick(wire.Cycle) bool {
	for o := l.in.Head(); o != nil && l.out.CanPut(); o = l.in.Head() {
		l.seen++
		if l.seen != 3 {
			l.out.Put(*o)
		}
		l.in.Pop()
	}
	return false
}

// launchChain runs a chain of n dependent instructions in one warp.
func launchChain(t *testing.T, m *gpus.Machine, n int) error {
	t.Helper()
	return machinetest.Launch(t, m, chain(n), 1, 32, 0)
}

func TestAMachineWithAnOutputPortThatLeadsNowhereIsRefused(t *testing.T) {
	c := machinetest.Config(t, config.Request{GPU: "gtx980", Set: []string{"sm.count=1", "regfile.kind=open"}})
	if _, err := gpus.New(c, gpus.Options{}); err == nil || !strings.Contains(err.Error(),
		"port GPU.SM[0].Lossy.More is not connected") {
		t.Errorf("error %v, want one that names the port", err)
	}
}

func TestADeadlockIsReportedWithWhoWaitsForWhom(t *testing.T) {
	m := machinetest.GPU(t, "gtx980", gpus.Options{}, "sm.count=1", "regfile.kind=lossy", "compiler.schedule=pressure")
	err := launchChain(t, m, 10)
	var stop *stop.Error
	if !errors.As(err, &stop) {
		t.Fatalf("error %v, want a StopError", err)
	}
	if !strings.Contains(stop.Reason, "deadlock") || !strings.Contains(stop.Reason, "0 of 1 CTAs retired") {
		t.Errorf("reason %q", stop.Reason)
	}
	report := strings.Join(stop.Report, "\n")
	for _, want := range []string{"GPU.SM[0].Scheduler[0]: warp 0 (CTA slot 0): shr at line 21",
		"waits for registers R0 (still to be read)", "GPU.SM[0].Residency: 1 CTAs resident",
		"GPU.Dispatcher: 1 CTAs handed out"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
	if r := m.Results(); len(r) != 1 || r[0].Complete {
		t.Errorf("results %+v, want one, incomplete", r)
	}
}

// A load waits for some 30 cycles of the DRAM's clock. These are three million core cycles, during which nothing
// moves.
func TestASlowDRAMClockIsNoDeadlock(t *testing.T) {
	m := machinetest.GPU(t, "gtx980", gpus.Options{}, "sm.clock_mhz=100000", "mem.dram.clock_mhz=1", "sm.count=1")
	if err := launchBody(t, m, "ld.global.u32 %r2, [%rd1];\n st.global.u32 [%rd1+4], %r2;", 32); err != nil {
		t.Fatal(err)
	}
	if c := m.Results()[0].Cycles; c < 2_600_000 {
		t.Errorf("%d cycles, want at least activate and read, 26 command cycles of 100000", c)
	}
}

// Each load waits for the previous one, over the first refresh. The refresh begins 2.2 million core cycles from the
// start and takes 2.1 million.
func TestALongRefreshIsNoDeadlock(t *testing.T) {
	loop := "mov.u32 %r3, 0;\nLOOP: ld.global.u32 %r2, [%rd1];\n cvt.u64.u32 %rd2, %r2;\n add.s64 %rd1, %rd1, %rd2;\n" +
		" add.s64 %rd1, %rd1, 128;\n" +
		"add.u32 %r3, %r3, 1;\n setp.lt.u32 %p1, %r3, 7500;\n @%p1 bra LOOP;"
	cycles := machinetest.Cycles(t, machinetest.Text("", loop), 1, 32, "gtx980", "sm.count=1", "mem.dram.clock_mhz=563",
		"mem.dram.refresh=true", "mem.dram.trfc=1048576", "mem.dram.trefi=1100000")
	if cycles < 4_200_000 {
		t.Errorf("%d cycles, want those up to the first refresh and the refresh", cycles)
	}
}

func TestTheCycleLimitStopsALaunch(t *testing.T) {
	m := machinetest.GPU(t, "gtx980", gpus.Options{MaxCycles: 500}, "sm.count=1")
	err := launchChain(t, m, 1000)
	var stop *stop.Error
	if !errors.As(err, &stop) || !strings.Contains(stop.Reason, "the limit of 500 cycles") {
		t.Fatalf("error %v, want a StopError that names the limit", err)
	}
	if r := m.Results()[0]; r.Cycles != 500 || r.Complete {
		t.Errorf("%d cycles, complete %v; want 500, false", r.Cycles, r.Complete)
	}
}

func TestALaunchThatEndsAtTheLimitIsComplete(t *testing.T) {
	m := machinetest.GPU(t, "gtx980", gpus.Options{}, "sm.count=1")
	if err := launchChain(t, m, 20); err != nil {
		t.Fatal(err)
	}
	n := m.Results()[0].Cycles
	m = machinetest.GPU(t, "gtx980", gpus.Options{MaxCycles: n}, "sm.count=1")
	if err := launchChain(t, m, 20); err != nil {
		t.Errorf("with a limit of its %d cycles: %v", n, err)
	}
	m = machinetest.GPU(t, "gtx980", gpus.Options{MaxCycles: n - 1}, "sm.count=1")
	if err := launchChain(t, m, 20); err == nil {
		t.Errorf("with a limit of %d cycles, one fewer than it takes, it ended well", n-1)
	}
}

func TestACTATooLargeForAnSMIsRefused(t *testing.T) {
	for set, want := range map[string]string{
		"sm.threads=512":    "threads",
		"sm.registers=4096": "registers",
		"sm.warps=16":       "warp contexts",
	} {
		m := machinetest.GPU(t, "gtx980", gpus.Options{}, "sm.count=1", set)
		err := machinetest.Launch(t, m, independent(1), 1, 1024, 0)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one about %s", set, err, want)
		}
	}
}

func TestTheOperandCheckCatchesARegisterFileThatReturnsOldValues(t *testing.T) {
	m := machinetest.GPU(t, "gtx980", gpus.Options{Check: true}, "sm.count=1", "regfile.kind=stale")
	err := launchChain(t, m, 10)
	var stop *stop.Error
	if !errors.As(err, &stop) || !strings.Contains(stop.Reason, "operand check") ||
		!strings.Contains(stop.Reason, "warp 0") {
		t.Errorf("error %v, want an operand check that names the warp", err)
	}
	if err := launchChain(t, machinetest.GPU(t, "gtx980", gpus.Options{}, "sm.count=1", "regfile.kind=stale"),
		10); err != nil {
		t.Errorf("without the check: %v", err)
	}
}

// stale holds results back for some cycles after announcing them to the scheduler.
type stale struct {
	wire.Comp
	in    []wire.InPort[op.Result]
	out   []wire.OutPort[op.Result]
	drop  []wire.InPort[op.Done]
	done  []wire.OutPort[op.Done]
	ports regfile.Ports
}

func newStale(env *regfile.Env, f regfile.Design) *stale {
	s := &stale{ports: *f.DataPorts()}
	s.Init(env.Name+".Stale", env.Domain, s)
	n := len(s.ports.Result)
	s.in, s.out = make([]wire.InPort[op.Result], n), make([]wire.OutPort[op.Result], n)
	results := make([]*wire.InPort[op.Result], n)
	for i := range n {
		s.in[i].Init(&s.Comp, fmt.Sprintf("In[%d]", i), 8)
		s.out[i].Init(&s.Comp, fmt.Sprintf("Out[%d]", i))
		wire.Connect(&s.out[i], s.ports.Result[i], 20)
		results[i] = &s.in[i]
	}
	s.ports.Result = results
	n = len(s.ports.Done)
	s.drop, s.done = make([]wire.InPort[op.Done], n), make([]wire.OutPort[op.Done], n)
	done := make([]*wire.OutPort[op.Done], n)
	for i := range n {
		s.drop[i].Init(&s.Comp, fmt.Sprintf("Drop[%d]", i), 8)
		s.done[i].Init(&s.Comp, fmt.Sprintf("Done[%d]", i))
		wire.Connect(s.ports.Done[i], &s.drop[i], 1)
		done[i] = &s.done[i]
	}
	s.ports.Done = done
	return s
}

func (s *stale) DataPorts() *regfile.Ports { return &s.ports }

func (s *stale) Tick(wire.Cycle) bool {
	for i := range s.drop {
		for s.drop[i].Head() != nil {
			s.drop[i].Pop()
		}
	}
	for i := range s.in {
		for r := s.in[i].Head(); r != nil && s.out[i].CanPut() && s.done[r.Sched].CanPut(); r = s.in[i].Head() {
			s.done[r.Sched].Put(op.Done{Inst: r.Inst, Tag: r.Tag, Warp: r.Warp})
			s.out[i].Put(*r)
			s.in[i].Pop()
		}
	}
	return false
}

func TestAKernelThatNeedsMoreRegistersThanAThreadMayHaveIsSpilled(t *testing.T) {
	m := machinetest.GPU(t, "gtx980", gpus.Options{Check: true}, "sm.count=1", "sm.max_registers_per_thread=20",
		`compiler.off=["schedule"]`)
	err := machinetest.Launch(t, m, independent(2), 1, 64, 0)
	if err != nil {
		t.Fatal(err)
	}
	r := m.Results()[0]
	if r.RegistersPerThread != 20 || r.Stats["mem.l1.accesses.local_store"] == 0 {
		t.Errorf("%d registers, %d local stores; want 20 and some: 24 values are live at once", r.RegistersPerThread,
			r.Stats["mem.l1.accesses.local_store"])
	}
}
