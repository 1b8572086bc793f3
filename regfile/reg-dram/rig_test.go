package regdram

import (
	"testing"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/memsys/req"
	"kumiko/regfile"
	"kumiko/regfile/filetest"
)

// machine is a file of one scheduler with CTAs of one warp each: CTA i is context i. A warp has three registers,
// out of a maximum of four. Its memory answers in the next cycle.
type machine struct {
	*filetest.Bench
	f      *File
	ctas   *wiretest.Source[regfile.CTANotice]
	orders *wiretest.Source[regfile.Move]
	answer *wiretest.Sink[regfile.Moved]
	ask    *wiretest.Sink[req.Packet]
	reply  *wiretest.Source[req.Packet]
}

const registers, most = 3, 4

func newMachine(t *testing.T, s Spec) *machine {
	t.Helper()
	env := &regfile.Env{Schedulers: 1, IssueWidth: 1, Warps: 8, CTAs: 8, Registers: most, Writebacks: 1,
		Units: []regfile.Unit{{Name: "SP", Kind: "sp"}}}
	m := &machine{}
	m.Bench, m.f = filetest.New(t, env, func() (*File, error) { return NewFile(env, s) }, 2)
	m.f.Begin(&regfile.Launch{Registers: registers})
	x := m.f.mover
	m.ctas = wiretest.NewSource("CTAs", m.Domain, &x.CTAs)
	m.orders = wiretest.NewSource("Orders", m.Domain, &x.Orders)
	m.answer = wiretest.NewSink("Answers", m.Domain, &x.Answers, 4)
	m.ask = wiretest.NewSink("Ask", m.Domain, &x.Ask, 2)
	m.reply = wiretest.NewSource("Reply", m.Domain, &x.Answer)
	m.ask.Receive = func(now wire.Cycle, p req.Packet) {
		if !p.Posted() {
			m.reply.Send(now+1, p.Answer())
		}
	}
	for c := range uint16(2) {
		m.ctas.Send(m.Domain.Now()+1, regfile.CTANotice{CTA: c, Contexts: []uint16{c}})
		m.Domain.RunUntil(m.Domain.Now() + 5)
	}
	return m
}

// order sends an order to the mover and returns the cycle in which the mover sees it.
func (m *machine) order(out, in int) wire.Cycle {
	x := regfile.Move{Out: out, In: in}
	if out != regfile.NoCTA {
		x.Contexts, x.PCs = []uint16{uint16(out)}, []int32{0}
	}
	at := m.Domain.Now() + 10
	m.orders.Send(at-1, x)
	return at
}

// move carries out an order.
func (m *machine) move(out, in int) {
	m.T.Helper()
	n := len(m.answer.Got)
	m.Domain.RunUntil(m.order(out, in) + 500)
	if len(m.answer.Got) != n+1 {
		m.T.Fatal("no answer; ", m.Domain.Waiting())
	}
}

// send issues an instruction of a warp writing and reading registers in some lanes.
func (m *machine) send(warp uint16, lanes uint32, dst []ir.RegID, src ...ir.RegID) op.Op {
	o := m.Send(m.Domain.Now()+2, op.Op{Inst: filetest.Inst(dst, src...), Exec: lanes, Warp: warp})
	m.Domain.RunUntil(m.Domain.Now() + 20)
	return o
}

// finish brings the result of an operation.
func (m *machine) finish(o op.Op) {
	m.Finish(m.Domain.Now()+2, 0, o)
	m.Domain.RunUntil(m.Domain.Now() + 20)
}

// since returns the packets received by the memory after the first n.
func (m *machine) since(n int) []wiretest.At[req.Packet] { return m.ask.Got[n:] }
