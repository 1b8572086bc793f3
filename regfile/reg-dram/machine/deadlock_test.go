package machine_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"kumiko/benchmarks"
	"kumiko/components/wire"
	"kumiko/gpus"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/stop"
	"kumiko/kernel/host"
	"kumiko/memsys/req"
	"kumiko/regfile"
)

// mute is a register file that accepts orders to move registers and never answers.
type mute struct {
	regfile.Design
	block *silence
}

// silence reports whether it has room, and does nothing else.
type silence struct {
	wire.Comp
	orders  wire.InPort[regfile.Move]
	answers wire.OutPort[regfile.Moved]
	// ends of the ports of the replaced design, on which nothing arrives
	moved   wire.InPort[regfile.Moved]
	packets wire.InPort[req.Packet]
}

func (s *silence) Tick(wire.Cycle) bool {
	if m := s.orders.Head(); m != nil && m.Ask && s.answers.CanPut() {
		s.answers.Put(regfile.Moved{})
		s.orders.Pop()
	}
	return false
}

// Waiting names the unanswered order.
func (s *silence) Waiting() string {
	if m := s.orders.Head(); m != nil {
		return fmt.Sprintf("CTA slot %d is to go, and stays", m.Out)
	}
	return ""
}

func (m *mute) Mover() (*wire.InPort[regfile.Move], *wire.OutPort[regfile.Moved]) {
	return &m.block.orders, &m.block.answers
}

func (m *mute) Begin(plan any) { m.Design.(regfile.Planned).Begin(plan) }

func init() {
	found, err := regfile.Find("reg-dram")
	if err != nil {
		panic(err)
	}
	k := found.Variant("mute", "for tests: registers that are to be moved and are not", func(env *regfile.Env,
		s *regfile.Settings) (regfile.Design, error) {
		d, err := s.Build(env)
		if err != nil {
			return nil, err
		}
		b := &silence{}
		b.Init(env.Name+".Silence", env.Domain, b)
		b.orders.Init(&b.Comp, "Orders", 2)
		b.answers.Init(&b.Comp, "Answers")
		b.moved.Init(&b.Comp, "Moved", 1)
		b.packets.Init(&b.Comp, "Packets", 1)
		_, answers := d.(regfile.Mover).Mover()
		ask, _ := d.(regfile.MemoryUser).Memory()
		wire.Connect(answers, &b.moved, 1)
		wire.Connect(ask, &b.packets, 1)
		return &mute{Design: d, block: b}, nil
	})
	k.Switching = "mute"
	k.Register()
}

func TestASwapThatNeverEndsIsReportedWithWhoWaitsForWhom(t *testing.T) {
	m := machinetest.GPU(t, "gtx980", gpus.Options{}, "cta.switching=mute", "regfile.kind=mute",
		"regfile.mute.offchip_ctas=6",
		"sm.count=1", "sm.registers=8192")
	p, err := benchmarks.Find("transpose").New(benchmarks.Test)
	if err != nil {
		t.Fatal(err)
	}
	var stop *stop.Error
	if err := p.Run(&host.Device{Mem: m.Memory(), Runner: m}); !errors.As(err, &stop) || stop.Check ||
		!strings.Contains(stop.Reason, "deadlock") {
		t.Fatalf("error %v, want a deadlock", err)
	}
	report := strings.Join(stop.Report, "\n")
	for _, want := range []string{"GPU.SM[0].Switcher: registers on their way to the register file, or from there",
		"GPU.SM[0].Silence: CTA slot", "is to go, and stays", "without slots"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
}
