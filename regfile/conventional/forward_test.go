package conventional

import (
	"fmt"
	"testing"

	"kumiko/components/bank"
	"kumiko/components/op"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/filetest"
)

// dependent issues a reader in the very cycle in which it sees a Done.
type dependent struct {
	wire.Comp
	done wire.InPort[op.Done]
	out  wire.OutPort[op.Op]
	next []op.Op
	on   *version.Checker
}

func (x *dependent) Tick(wire.Cycle) bool {
	for d := x.done.Head(); d != nil; d = x.done.Head() {
		x.done.Pop()
		if len(x.next) > 0 {
			o := x.next[0]
			x.next = x.next[1:]
			x.on.Issue(&o)
			x.out.Put(o)
		}
	}
	return false
}

// chain runs a writer and a reader on one entry, the reader issued on the Done, while other writes and reads crowd
// the bank. It returns the checker.
func chain(t *testing.T, ports string, forward, crowd int) *version.Checker {
	s := simple()
	s.BankPorts, s.Forward, s.Paths.OutputWidth = ports, forward, 4
	env := oneScheduler()
	d := wire.NewDomain("Core", 1e9)
	check := version.NewChecker(env.Warps, env.Registers, 0)
	env.Domain, env.Name, env.Checker = d, "SM[0]", check
	f, err := build(env, s)
	if err != nil {
		t.Fatal(err)
	}
	p := f.DataPorts()
	x := &dependent{on: check}
	x.Init("Scheduler", d, x)
	x.done.Init(&x.Comp, "Done", 16)
	x.out.Init(&x.Comp, "Out")
	wire.Connect(p.Done[0], &x.done, 1)
	wire.Connect(&x.out, p.Issue[0], 1)
	var seen []op.Op
	for i := range p.Ready {
		u := &take{got: &seen}
		u.Init(fmt.Sprintf("Unit[%d]", i), d, u)
		u.in.Init(&u.Comp, "In", 2)
		wire.Connect(p.Ready[i], &u.in, 1)
	}
	write := op.Op{Inst: filetest.Inst([]ir.RegID{0}), Tag: 1, Exec: version.FullMask}
	check.Issue(&write)
	crowded := op.Op{Inst: filetest.Inst([]ir.RegID{4, 8, 12, 16}[:crowd]), Tag: 2, Exec: version.FullMask}
	check.Issue(&crowded)
	x.next = []op.Op{{Inst: filetest.Inst(nil, 0), Tag: 3, Exec: version.FullMask}}
	give := &put{msgs: [][]op.Result{{crowded.Result()}, {write.Result()}}, ports: p.Result}
	give.start(d)
	d.RunUntil(100)
	if len(seen) != 1 || seen[0].Tag != 3 {
		t.Fatalf("units saw %v", seen)
	}
	if check.Checked() != 1 {
		t.Fatalf("%d operands checked", check.Checked())
	}
	return check
}

// take swallows operations.
type take struct {
	wire.Comp
	in  wire.InPort[op.Op]
	got *[]op.Op
}

func (u *take) Tick(wire.Cycle) bool {
	for o := u.in.Head(); o != nil; o = u.in.Head() {
		*u.got = append(*u.got, *o)
		u.in.Pop()
	}
	return false
}

// put sends results to both result ports in cycle 10.
type put struct {
	wire.Comp
	out   [2]wire.OutPort[op.Result]
	msgs  [][]op.Result
	ports []*wire.InPort[op.Result]
}

func (x *put) start(d *wire.Domain) {
	x.Init("Pipelines", d, x)
	for i := range x.out {
		x.out[i].Init(&x.Comp, fmt.Sprintf("Out[%d]", i))
		wire.Connect(&x.out[i], x.ports[i], 1)
	}
	x.WakeAt(10)
}

func (x *put) Tick(now wire.Cycle) bool {
	if now != 10 {
		return false
	}
	for i := range x.msgs {
		for _, m := range x.msgs[i] {
			x.out[i].Put(m)
		}
	}
	return false
}

// build builds a file without the bound on Forward.
func build(env *regfile.Env, s Spec) (*File, error) {
	forward := s.Forward
	s.Forward = 0
	b, err := prepare(env, &s)
	if err != nil {
		return nil, err
	}
	b.ahead = forward
	return b.file()
}

func TestAReaderIssuedOnTheDoneSeesTheWriteForEveryForwardAllowed(t *testing.T) {
	for p := bank.Single; p <= bank.Dual; p++ {
		for forward := 0; forward <= MaxForward; forward++ {
			for crowd := 0; crowd <= 4; crowd++ {
				if v := chain(t, p.String(), forward, crowd).Violations(); len(v) > 0 {
					t.Errorf("ports %s, forward %d, %d writes before: %s", p, forward, crowd, v[0])
				}
			}
		}
	}
}

func TestALargerForwardWouldLetTheReaderOvertakeTheWriteAndIsRefused(t *testing.T) {
	if chain(t, "1rw", MaxForward+1, 0).Total() == 0 {
		t.Error("the bound on forward is lower than it need be")
	}
	s := simple()
	s.Forward = MaxForward + 1
	if err := s.Check(); err == nil {
		t.Error("forward 3 accepted")
	}
}
