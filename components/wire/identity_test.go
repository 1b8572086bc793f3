package wire

import (
	"testing"

	"github.com/sarchlab/akita/v3/sim"
)

// tagged is an Akita message of ours, with an identity of its own or without.
type tagged struct {
	sim.MsgMeta
	body int
}

func (m *tagged) Meta() *sim.MsgMeta { return &m.MsgMeta }

// wireTo is a connection recording all messages sent over it.
type wireTo struct {
	sim.HookableBase
	got []sim.Msg
}

func (*wireTo) Name() string                             { return "Wire" }
func (*wireTo) Unplug(sim.Port)                          {}
func (*wireTo) NotifyAvailable(sim.VTimeInSec, sim.Port) {}
func (*wireTo) CanSend(sim.Port) bool                    { return true }
func (w *wireTo) PlugIn(p sim.Port, _ int)               { p.SetConnection(w) }
func (w *wireTo) Send(m sim.Msg) *sim.SendError          { w.got = append(w.got, m); return nil }

func TestAMessageThatASocketWrapsKeepsItsIdentityOrGetsOne(t *testing.T) {
	e := NewEngine()
	d := e.NewDomain("D", sim.GHz)
	c := newClocked(d, "C", nil)
	c.out.Init(&c.Comp, "Out")
	conn := &wireTo{}
	NewSocket("Socket", SocketSpec[int, int]{Out: &c.out, Conn: conn, Buffer: 4, Wrap: func(v *int) sim.Msg {
		m := &tagged{body: *v}
		if *v == 1 {
			m.ID = "own"
		}
		return m
	}})
	c.do = func(now Cycle) bool {
		if now <= 2 {
			c.out.Put(int(now))
		}
		return now < 2
	}
	if _, err := e.RunUntil(d, 20); err != nil {
		t.Fatal(err)
	}
	if len(conn.got) != 2 {
		t.Fatalf("%d messages, want 2", len(conn.got))
	}
	if x, y := conn.got[0].Meta().ID, conn.got[1].Meta().ID; x != "own" || y == "" {
		t.Errorf("identities %q and %q, want the message's own and a new one", x, y)
	}
}
