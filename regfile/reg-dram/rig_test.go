package regdram

import (
	"testing"

	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/memsys/req"
	"kumiko/regfile"
)

// machine is a file of one scheduler with CTAs of one warp each: CTA i is context i. A warp has three registers,
// out of a maximum of four. Its memory answers in the next cycle.
type machine struct {
	t      *testing.T
	d      *wire.Domain
	f      *File
	reg    stats.Registry
	check  *version.Checker
	ctas   *wiretest.Source[regfile.CTANotice]
	orders *wiretest.Source[regfile.Move]
	answer *wiretest.Sink[regfile.Moved]
	ask    *wiretest.Sink[req.Packet]
	reply  *wiretest.Source[req.Packet]
	issue  *wiretest.Source[op.Op]
	result *wiretest.Source[op.Result]
	ready  *wiretest.Sink[op.Op]
	tag    uint32
}

const registers, most = 3, 4

func newMachine(t *testing.T, s Spec, checked bool) *machine {
	t.Helper()
	m := &machine{t: t, d: wire.NewDomain("Core", 1e9)}
	env := &regfile.Env{Domain: m.d, Stats: &m.reg, Name: "SM[0]", Schedulers: 1, IssueWidth: 1, Warps: 8, CTAs: 8,
		Registers: most, Writebacks: 1, Units: []regfile.Unit{{Name: "SP", Kind: "sp"}}}
	if checked {
		m.check = version.NewChecker(env.Warps, env.Registers, 0)
		env.Checker = m.check
	}
	f, err := NewFile(env, s)
	if err != nil {
		t.Fatal(err)
	}
	m.f = f
	f.Begin(&regfile.Launch{Registers: registers})
	x, p := f.mover, f.DataPorts()
	m.ctas = wiretest.NewSource("CTAs", m.d, &x.CTAs)
	m.orders = wiretest.NewSource("Orders", m.d, &x.Orders)
	m.answer = wiretest.NewSink("Answers", m.d, &x.Answers, 4)
	m.ask = wiretest.NewSink("Ask", m.d, &x.Ask, 2)
	m.reply = wiretest.NewSource("Reply", m.d, &x.Answer)
	m.ask.Receive = func(now wire.Cycle, p req.Packet) {
		if !p.Posted() {
			m.reply.Send(now+1, p.Answer())
		}
	}
	m.issue = wiretest.NewSource("Scheduler", m.d, p.Issue[0])
	m.result = wiretest.NewSource("Pipeline", m.d, p.Result[0])
	m.ready = wiretest.NewSink("Unit", m.d, p.Ready[0], 2)
	wiretest.NewSink("Scoreboard", m.d, p.Done[0], 8)
	for c := range uint16(2) {
		m.ctas.Send(m.d.Now()+1, regfile.CTANotice{CTA: c, Contexts: []uint16{c}})
		m.d.RunUntil(m.d.Now() + 5)
	}
	return m
}

// order sends an order to the mover and returns the cycle in which the mover sees it.
func (m *machine) order(out, in int) wire.Cycle {
	x := regfile.Move{Out: out, In: in}
	if out != regfile.NoCTA {
		x.Contexts, x.PCs = []uint16{uint16(out)}, []int32{0}
	}
	at := m.d.Now() + 10
	m.orders.Send(at-1, x)
	return at
}

// move carries out an order.
func (m *machine) move(out, in int) {
	m.t.Helper()
	n := len(m.answer.Got)
	m.d.RunUntil(m.order(out, in) + 500)
	if len(m.answer.Got) != n+1 {
		m.t.Fatalf("no answer; %v", m.d.Waiting())
	}
}

// send issues an instruction of a warp writing and reading registers in some lanes.
func (m *machine) send(warp uint16, lanes uint32, dst []ir.RegID, src ...ir.RegID) op.Op {
	in := &ir.Inst{}
	in.T.NSrc, in.T.NDst = uint8(copy(in.T.Src[:], src)), uint8(copy(in.T.Dst[:], dst))
	m.tag++
	o := op.Op{Inst: in, Tag: m.tag, Exec: lanes, Warp: warp}
	if m.check != nil {
		m.check.Issue(&o)
	}
	m.issue.Send(m.d.Now()+1, o)
	m.d.RunUntil(m.d.Now() + 20)
	return o
}

// finish brings the result of an operation.
func (m *machine) finish(o op.Op) {
	m.result.Send(m.d.Now()+1, o.Result())
	m.d.RunUntil(m.d.Now() + 20)
}

func (m *machine) stat(name string) uint64 { return m.reg.Snapshot()["regfile.reg-dram."+name] }

// since returns the packets received by the memory after the first n.
func (m *machine) since(n int) []wiretest.At[req.Packet] { return m.ask.Got[n:] }
