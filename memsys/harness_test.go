package memsys

import (
	"testing"

	"github.com/sarchlab/akita/v3/sim"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// driver plays the SM: it sends accesses as fast as they are taken, keeps at
// most window of them under way, and notes when each is answered.
type driver struct {
	wire.Comp
	out    wire.OutPort[Access]
	in     wire.InPort[Reply]
	todo   []Access
	next   int
	window int
	under  int
	sent   []wire.Cycle // by tag: cycle in which the access is visible to the memory
	done   []wire.Cycle // by tag; 0: not yet
	twice  int
	store  []bool
	deaf   bool     // takes no reply
	missed []uint32 // tags of the accesses that have been told to have missed
}

func newDriver(name string, d *wire.Domain, m *SMSide, window int) *driver {
	v := &driver{window: window}
	v.Init(name, d, v)
	v.out.Init(&v.Comp, "Out")
	v.in.Init(&v.Comp, "In", 4)
	wire.Connect(&v.out, m.In, 1)
	wire.Connect(m.Out, &v.in, 1)
	return v
}

func (v *driver) add(a Access) {
	a.Tag = uint32(len(v.todo))
	v.todo = append(v.todo, a)
	v.sent, v.done, v.store = append(v.sent, 0), append(v.done, 0), append(v.store, false)
	v.Wake()
}

func (v *driver) Tick(now wire.Cycle) bool {
	for r := v.in.Head(); r != nil && !v.deaf; r = v.in.Head() {
		if r.Missed {
			v.missed = append(v.missed, r.Tag)
			v.in.Pop()
			continue
		}
		if v.done[r.Tag] != 0 {
			v.twice++
		}
		v.done[r.Tag], v.store[r.Tag] = now, r.Store
		v.under--
		v.in.Pop()
	}
	if v.next == len(v.todo) || v.under == v.window || !v.out.CanPut() {
		return false
	}
	v.out.Put(v.todo[v.next])
	v.sent[v.next] = now + 1
	v.next++
	v.under++
	return v.next < len(v.todo)
}

// machine is a memory system with a driver per SM.
type machine struct {
	engine  *wire.Engine
	dom     *wire.Domain
	sys     *System
	sides   []*SMSide
	drivers []*driver
	reg     stats.Registry
}

// coreMHz is the clock of the tests' machines.
const coreMHz = 1126

func newMachine(t testing.TB, s Spec, sms int) *machine { return newMachineAt(t, s, sms, coreMHz) }

func newMachineAt(t testing.TB, s Spec, sms, coreMHz int) *machine {
	return newMachineOf(t, s, sms, coreMHz, SMConfig{})
}

// newMachineOf builds SMs of a configuration. It sets their names, numbers and warps.
func newMachineOf(t testing.TB, s Spec, sms, coreMHz int, c SMConfig) *machine {
	m := &machine{engine: wire.NewEngine()}
	m.dom = m.engine.NewDomain("Core", sim.Freq(coreMHz)*sim.MHz)
	var err error
	if m.sys, err = NewSystem(m.dom, &s, sms, 1, &m.reg); err != nil {
		t.Fatal(err)
	}
	for i := range sms {
		c.Name, c.SM, c.Warps = "SM["+string(rune('0'+i%10))+"]", i, 64
		side, err := NewSMSide(m.dom, &s, c, &m.reg)
		if err != nil {
			t.Fatal(err)
		}
		m.sys.Attach(i, side)
		m.sides = append(m.sides, side)
		m.drivers = append(m.drivers, newDriver("Driver", m.dom, side, 64))
	}
	return m
}

// run runs until nothing moves, and checks that every access was answered once.
func (m *machine) run(t testing.TB) {
	m.until(t, m.dom.Now()+50_000_000)
	for i, v := range m.drivers {
		left := 0
		for _, c := range v.done {
			if c == 0 {
				left++
			}
		}
		if left != 0 || v.twice != 0 {
			t.Fatalf("SM %d: %d of %d accesses unanswered, %d answered twice\n%v", i, left, len(v.done), v.twice,
				m.engine.Waiting())
		}
	}
}

// until lets the machine run up to a cycle of the core clock.
func (m *machine) until(t testing.TB, limit wire.Cycle) {
	if _, err := m.engine.RunUntil(m.dom, limit); err != nil {
		t.Fatal(err)
	}
}

func (m *machine) stat(name string) uint64 {
	v, ok := m.reg.Snapshot()[name]
	if !ok {
		panic("no statistic " + name)
	}
	return v
}

func inst(op ir.Op, bytes int) *ir.Inst {
	in := &ir.Inst{Op: op}
	in.T.Bytes = uint8(bytes)
	return in
}

var (
	load4  = inst(ir.OpLd, 4)
	store4 = inst(ir.OpSt, 4)
)

const all = ^uint32(0)

// line is an access of a full warp to 32 consecutive words.
func line(in *ir.Inst, space ir.Space, addr uint64) Access {
	return Access{Inst: in, Acc: &stream.Access{Base: addr, Stride: 4, Space: space}, Exec: all}
}
