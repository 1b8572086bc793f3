package conventional

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/bank"
	"kumiko/components/storage"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/contracttest"
	"kumiko/regfile/filetest"
)

func TestOperandStagesAddToTheWayToTheBanksAndToOperationsThatReadNothing(t *testing.T) {
	for stages := range 4 {
		s := simple()
		s.OperandStages = stages
		r := newRig(t, s, oneScheduler())
		r.send(10, 0, 0, 0, filetest.Inst(nil, 1)) // without stages at its unit at 15
		r.send(10, 0, 1, 0, filetest.Inst([]ir.RegID{2}))
		r.ready(t, 0, cycle(15+stages))
		// the second of the two at the collectors at 11
		if d := cmp.Diff([]uint64{cycle(13 + stages)}, r.Units[1].Cycles()); d != "" {
			t.Errorf("%d stages: %s", stages, d)
		}
	}
}

func TestAReaderIssuedOnTheDoneSeesTheWriteThroughOperandStages(t *testing.T) {
	for forward := range MaxForward + 1 {
		s := simple()
		s.OperandStages, s.Forward, s.BankPorts = 2, forward, "1r1w"
		r := newRig(t, s, oneScheduler())
		o := r.send(10, 0, 0, 0, filetest.Inst([]ir.RegID{1}))
		r.Finish(30, 0, o)                         // Done seen at 31, value there at 30 + forward
		r.send(32, 0, 0, 0, filetest.Inst(nil, 1)) // issued at 31
		r.ready(t, 0, 14, 39)                      // 37 without stages, as any read
	}
}

func TestOperandStagesKeepTheContract(t *testing.T) {
	for name, tune := range map[string]func(*Spec, *contracttest.Config){
		"one stage":  func(s *Spec, c *contracttest.Config) { s.OperandStages = 1 },
		"six stages": func(s *Spec, c *contracttest.Config) { s.OperandStages, s.Forward, s.Queue = 6, 1, 1 },
		"a bypass": func(s *Spec, c *contracttest.Config) {
			s.OperandStages, s.Bypass, s.Forward, c.Known = 1, true, 6, 6
		},
	} {
		t.Run(name, func(t *testing.T) {
			contracttest.Contract(t, kind(t), contracttest.Tuned(func(spec *Spec, c *contracttest.Config) {
				tune(spec, c)
				c.Ops /= 2
			}))
		})
	}
}

func TestTheFileAccountsForTheRegistersThatTheSMHasNotForTheirNames(t *testing.T) {
	// Gebhart et al., ISCA 2011, section 2.1: 32 banks of 256 entries of 128 bits.
	s := Default()
	s.SubCores, s.Banks, s.BankWidth, s.BankPorts = 1, 32, 16, "1r1w"
	env := oneScheduler()
	env.Warps, env.Registers, env.Capacity = 32, 63, 1024
	want := []regfile.State{{Block: "Bank", What: "registers", Count: 32, Bits: 32 * 256 * 128, Ports: "1r1w",
		Kind: storage.SRAM, Width: 128}}
	if d := cmp.Diff(want, newRig(t, s, env).f.State()); d != "" {
		t.Error(d)
	}
}

func TestRegistersForWhichThereAreNoNamesAreNotCounted(t *testing.T) {
	env := oneScheduler()
	env.Warps, env.Registers, env.Capacity = 8, 32, 1024 // few warps of an SM with many registers
	if s := newRig(t, simple(), env).f.State(); s[0].Bits != 8*32*1024 {
		t.Errorf("%+v", s)
	}
}

// relay is a block at the end of the operand network: it passes everything on.
type relay struct {
	stage
	Values  []wire.InPort[bank.Value]
	Operand wire.OutPort[bank.Value]
}

func newRelay(p *Part) (*Extension, error) {
	x := &relay{}
	x.Init(p.Name+".Relay", p.Env.Domain, x)
	return x.extension(p), nil
}

// extension makes the ports of a relay.
func (x *relay) extension(p *Part) *Extension {
	x.init(p)
	e := &Extension{Request: &x.Request, Result: &x.Result, Read: &x.Read, Write: &x.Write, Stages: 1,
		Operand: &x.Operand, Operands: p.Ends * p.EndRoom, Latency: 1}
	x.Operand.Init(&x.Comp, "Operand")
	x.Values = make([]wire.InPort[bank.Value], p.Ends)
	for i := range x.Values {
		x.Values[i].Init(&x.Comp, fmt.Sprintf("Values[%d]", i), p.EndRoom)
		e.Ends = append(e.Ends, &x.Values[i])
	}
	return e
}

func (x *relay) Tick(now wire.Cycle) bool {
	for i := range x.Values {
		for v := x.Values[i].Head(); v != nil && x.Operand.CanPut(); v = x.Values[i].Head() {
			x.Operand.Put(*v)
			x.Values[i].Pop()
		}
	}
	return x.stage.Tick(now)
}

func TestABlockMayStandBetweenTheBanksAndTheCollectorsOnBothWays(t *testing.T) {
	for name, tune := range map[string]func(*Spec){
		"crossbar": func(*Spec) {},
		"butterfly": func(s *Spec) {
			s.SubCores, s.Network, s.Mesh.Rows, s.Mesh.Columns, s.Collectors = 1, "butterfly", 2, 4, 12
		},
	} {
		t.Run(name, func(t *testing.T) {
			k := regfile.Define(regfile.Kind{Name: "relayed"}, regfile.Builder[Spec]{
				Default: Default,
				Build: func(env *regfile.Env, s *Spec) (regfile.Design, error) {
					return New(env, s, Extend(newRelay))
				},
			})
			contracttest.Contract(t, k, contracttest.Tuned(func(spec *Spec, c *contracttest.Config) {
				tune(spec)
				c.Ops /= 2
			}))
		})
	}
}

func TestABlockOnBothWaysCostsAStageOnEach(t *testing.T) {
	env := oneScheduler()
	r := newRigOf(t, env, func() (*File, error) { return New(env, new(simple()), Extend(newRelay)) })
	r.send(10, 0, 0, 0, filetest.Inst(nil, 1)) // without it at its unit at 15
	r.ready(t, 0, 17)
}

// renamer is a relay that sends its reads in the name of three requesters of its own, whatever their collector.
type renamer struct {
	relay
	to map[uint32]uint8 // collector by tag
}

const requesters = 3

func newRenamer(p *Part) (*Extension, error) {
	if p.Outputs != requesters {
		return nil, fmt.Errorf("%d outputs", p.Outputs)
	}
	x := &renamer{to: map[uint32]uint8{}}
	x.Init(p.Name+".Renamer", p.Env.Domain, x)
	return x.extension(p), nil
}

func (x *renamer) Tick(now wire.Cycle) bool {
	for i := range x.Values {
		for v := x.Values[i].Head(); v != nil && x.Operand.CanPut(); v = x.Values[i].Head() {
			if v.To != uint8(v.Tag%requesters) {
				panic(fmt.Sprintf("a value of operation %d came to requester %d", v.Tag, v.To))
			}
			o := *v
			o.To = x.to[v.Tag]
			x.Operand.Put(o)
			x.Values[i].Pop()
		}
	}
	for a := x.Result.Head(); a != nil; a = x.Result.Head() {
		if !x.Write.CanPut() {
			return true // no read may pass it
		}
		x.Write.Put(*a)
		x.Result.Pop()
	}
	for r := x.Request.Head(); r != nil && x.Read.CanPut(); r = x.Request.Head() {
		o := *r
		x.to[r.Tag], o.To = r.To, uint8(r.Tag%requesters)
		x.Read.Put(o)
		x.Request.Pop()
	}
	return x.Request.Len() > 0
}

func TestTheOperandNetworkMayServeOthersThanTheCollectors(t *testing.T) {
	for name, tune := range map[string]func(*Spec){
		"crossbar":      func(*Spec) {},
		"narrow":        func(s *Spec) { s.Paths.Cycles = 4 },
		"butterfly":     func(s *Spec) { s.SubCores, s.Network, s.Collectors = 1, "butterfly", 12 },
		"two requests":  func(s *Spec) { s.Inputs = 2 },
		"one collector": func(s *Spec) { s.Collectors = 1 },
	} {
		t.Run(name, func(t *testing.T) {
			k := regfile.Define(regfile.Kind{Name: "renamed"}, regfile.Builder[Spec]{
				Default: Default,
				Build: func(env *regfile.Env, s *Spec) (regfile.Design, error) {
					return New(env, s, Outputs(requesters), Extend(newRenamer))
				},
			})
			contracttest.Contract(t, k, contracttest.Tuned(func(spec *Spec, c *contracttest.Config) {
				tune(spec)
				c.Ops /= 2
			}))
		})
	}
}
