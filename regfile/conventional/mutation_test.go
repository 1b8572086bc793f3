package conventional

import (
	"fmt"
	"strings"
	"testing"

	"kumiko/components/version"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/filetest"
)

// faults change the content of a place for a register: R1 of warp 0, last written by operation 2 in all lanes, and
// by operation 1 before.
var faults = map[string]func(version.Content) version.Content{
	"drop":          func(version.Content) version.Content { return version.Content{} },
	"drop one lane": func(c version.Content) version.Content { return c.Only(^uint32(1 << 9)) },
	"stale":         func(version.Content) version.Content { return version.Content{Seq: 1, Lanes: version.FullMask} },
	"stale lane":    func(c version.Content) version.Content { return c.Write(1, 1<<9) },
	// with R2, written by operation 3
	"swap one lane": func(c version.Content) version.Content { return c.Write(3, 1<<9) },
}

// written returns a file with R1 written twice and R2 once.
func written(t *testing.T) *rig {
	s := simple()
	s.BankIndex = "register"
	r := newRig(t, s, oneScheduler())
	for i, d := range []ir.RegID{1, 1, 2} {
		o := r.send(0+10*cycle(i+1), 0, 0, 0, filetest.Inst([]ir.RegID{d}))
		r.Finish(4+10*cycle(i+1), 0, o)
	}
	r.Domain.RunUntil(50)
	return r
}

func cycle(i int) uint64 { return uint64(i) }

func verdict(t *testing.T, r *rig, fault string) {
	t.Helper()
	r.Domain.RunUntil(200)
	v := r.Checker.Violations()
	switch {
	case fault == "none" && len(v) != 0:
		t.Fatalf("without a fault: %s", v[0])
	case fault == "none":
	case len(v) == 0:
		t.Fatalf("%s: not caught", fault)
	case v[0].Register != 1 || v[0].Expected != 2 || v[0].Warp != 0 || !strings.HasSuffix(v[0].Block, ".Collectors") ||
		strings.Contains(fault, "lane") != (len(v) == 1):
		t.Fatalf("%s: reported %d times, first %s", fault, len(v), v[0])
	}
}

func TestFaultsInABankAreCaught(t *testing.T) {
	faults["none"] = func(c version.Content) version.Content { return c }
	for name, f := range faults {
		t.Run(name, func(t *testing.T) {
			r := written(t)
			r.f.subs[0].banks[1].Alter(0, f) // R1 of warp 0: first entry of bank 1
			r.send(60, 0, 0, 0, filetest.Inst(nil, 1, 2))
			verdict(t, r, name)
		})
	}
}

func TestFaultsInACollectorAreCaught(t *testing.T) {
	faults["none"] = func(c version.Content) version.Content { return c }
	for name, f := range faults {
		t.Run(name, func(t *testing.T) {
			r := written(t)
			c := r.f.subs[0].collectors
			r.send(60, 0, 0, 0, filetest.Inst(nil, 1, 2)) // R1 reaches collector 0 at 64, R2 at 65
			r.Domain.RunUntil(64)
			if !c.Holding(0, 0) || c.Holding(0, 1) {
				t.Fatal("at 64 the collector should hold R1 and wait for R2")
			}
			c.Alter(0, 0, f)
			verdict(t, r, name)
		})
	}
}

func TestAnImpossibleFileIsRefusedByTheNameOfWhatIsWrong(t *testing.T) {
	for want, f := range map[string]func(*Spec, *regfile.Env){
		"sub_cores":  func(s *Spec, e *regfile.Env) { s.SubCores = 3 },
		"banks":      func(s *Spec, e *regfile.Env) { s.Banks = 7 },
		"bank_ports": func(s *Spec, e *regfile.Env) { s.BankPorts = "3rw" },
		"read_latency: found 4611686018427387904": func(s *Spec, e *regfile.Env) {
			s.Network,
				s.ReadLatency = "butterfly", 1<<62
		},
		"bank_index":     func(s *Spec, e *regfile.Env) { s.BankIndex = "random" },
		"arbitration":    func(s *Spec, e *regfile.Env) { s.Arbitration = "fair" },
		"bank_queue":     func(s *Spec, e *regfile.Env) { s.Queue = 0 },
		"collectors":     func(s *Spec, e *regfile.Env) { s.Collectors = 0 },
		"collector_sets": func(s *Spec, e *regfile.Env) { s.CollectorSets = []CollectorSet{{[]string{"tensor"}, 2}} },
		"bypass_entries": func(s *Spec, e *regfile.Env) { s.Bypass, s.Forward, s.BypassEntries = true, 6, 0 },
		"network:":       func(s *Spec, e *regfile.Env) { s.Network = "torus" },
		"crossbar_width: found 2, expected 0 with": func(s *Spec, e *regfile.Env) {
			s.Network,
				s.Paths.Width = "butterfly", 2
		},
		"collector_sets: found sfu": func(s *Spec, e *regfile.Env) {
			s.Collectors, s.CollectorSets = 0, []CollectorSet{{[]string{"sp"}, 2}}
		},
	} {
		s, env := Default(), oneScheduler()
		env.Schedulers = 2
		s.Banks = 8
		f(&s, env)
		env.Domain = newRig(t, simple(), oneScheduler()).Domain
		_, err := New(env, &s)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
		if err != nil && fmt.Sprint(err) == "" {
			t.Error("an error without words")
		}
	}
}
