package conventional

import (
	"strings"
	"testing"

	"kumiko/components/bank"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// Banks of two ports hold two accesses for each, and three for the extension. The extension's own values arrive at
// twenty per cycle after two cycles, so sixty may be on their way.
func TestAnExtensionBesideTheCollectorsGetsWhatItAsksFor(t *testing.T) {
	words := bank.Hints{Source: func(*ir.Timing, int) bank.Hint { return 0 }}
	for name, x := range map[string]struct {
		extension   Extension
		words       bool
		causes      uint8
		room, lines int
	}{
		"nothing": {Extension{}, false, 0, 0, 0},
		"all": {Extension{Hints: words, Causes: 1 << bank.Switch, More: 3, Operand: &wire.OutPort[bank.Value]{},
			Operands: 20, Latency: 2}, true, 1<<bank.Operand | 1<<bank.Result | 1<<bank.Switch, 2*2 + 3, 1},
	} {
		b := quarters(t, nil)
		cs, room := adapted(t, b, &x.extension)
		equal(t, name+": words of operands", x.words, cs.Hints != nil)
		equal(t, name+": causes", x.causes, b.bank.Causes)
		equal(t, name+": accesses that a bank holds", x.room, b.bank.Room)
		equal(t, name+": lines of the collectors", x.lines, cs.Lines)
		equal(t, name+": values on their way", max(room, 3*x.extension.Operands), cs.Room)
	}
}

func TestAnExtraOutputIsTheLastOfTheNetwork(t *testing.T) {
	b := quarters(t, nil)
	ExtraOutput()(b)
	cs := b.collectorSpec(0)
	net, err := b.networkSpec(&cs)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "outputs", cs.Collectors()+1, net.crossbar.Outputs)
	equal(t, "outputs with a port of their own", 1, net.crossbar.Apart)
}

// An extension sends 20 values per cycle, with a latency of two cycles. If the network ends in the extension, the
// collectors have only that line.
func TestAnExtensionInWhichTheNetworkEndsHasTheCollectorsLineAlone(t *testing.T) {
	for ends, want := range map[bool]int{false: 4, true: 1} {
		b := quarters(t, func(_ *regfile.Env, s *Spec) { s.Network = "butterfly" })
		x := &Extension{Operand: &wire.OutPort[bank.Value]{}, Operands: 20, Latency: 2, Causes: 1 << bank.Flush}
		if ends {
			x.Ends = []*wire.InPort[bank.Value]{{}}
		}
		cs, _ := adapted(t, b, x)
		equal(t, "lines of the collectors", want, cs.Lines)
		equal(t, "values on their way", 60, cs.Room)
		equal(t, "causes", uint8(1<<bank.Operand|1<<bank.Result|1<<bank.Flush), b.bank.Causes)
	}
}

// Two registers of a result may reach the arbiter in a cycle, from each of four write-back ports. The arbiter holds
// those of two cycles, and the extension's own.
func TestTheArbiterHasRoomForTheMessagesOfTwoCycles(t *testing.T) {
	in := &Extension{Request: &wire.InPort[bank.Request]{}, Result: &wire.InPort[bank.Access]{},
		Read: &wire.OutPort[bank.Request]{}, Write: &wire.OutPort[bank.Access]{}, Reads: 30, Writes: 5}
	beside := &Extension{Read: in.Read, Write: in.Write, Reads: 30, Writes: 11}
	for name, x := range map[string]struct {
		extension *Extension
		stages    int
		readers   int
		reads     int
		writes    int
	}{
		"none":                {&Extension{}, 0, 1, 12, 8 * 2},
		"none, behind stages": {&Extension{}, 2, 1, 12, 8 * 2},
		"in the way":          {in, 0, 1, 60, 2 * (8 + 5)},
		"beside":              {beside, 0, 2, 60, 22},
		"beside a little":     {&Extension{Read: in.Read, Write: in.Write, Writes: 1}, 0, 2, 12, 16},
	} {
		b := quarters(t, nil)
		c := &subCore{extension: x.extension, stages: make([]*stage, x.stages)}
		s := b.arbiterSpec(c, &Part{RequestRoom: 12, WriteRoom: 16, Writes: 8})
		equal(t, name+": readers", x.readers, s.Readers)
		equal(t, name+": writers", x.readers, s.Writers)
		equal(t, name+": reads", x.reads, s.ReadRoom)
		equal(t, name+": writes", x.writes, s.WriteRoom)
	}
}

// beside is an extension using the banks beside the collectors.
type beside struct {
	wire.Comp
	read    wire.OutPort[bank.Request]
	write   wire.OutPort[bank.Access]
	operand wire.OutPort[bank.Value]
}

func (x *beside) Tick(wire.Cycle) bool { return false }

func TestEveryPortOfAnExtensionIsJoined(t *testing.T) {
	x := &beside{}
	env := oneScheduler()
	r := newRigOf(t, env, func() (*File, error) {
		return New(env, new(simple()), Extend(func(p *Part) (*Extension, error) {
			x.Init("Beside", p.Env.Domain, x)
			x.read.Init(&x.Comp, "Read")
			x.write.Init(&x.Comp, "Write")
			x.operand.Init(&x.Comp, "Operand")
			return &Extension{Read: &x.read, Write: &x.write, Operand: &x.operand, Operands: 1, Latency: 1,
				Hints: bank.Hints{Result: func(*ir.Timing, int) bank.Hint { return 1 }}}, nil
		}))
	})
	if !x.read.Connected() || !x.write.Connected() || !x.operand.Connected() {
		t.Error("a port of the extension leads nowhere")
	}
	if r.f.subs[0].writeback.hint == nil {
		t.Error("results have no word")
	}
}

func TestAnExtensionWhosePortsDoNotGoTogetherIsRefused(t *testing.T) {
	request, result := &wire.InPort[bank.Request]{}, &wire.InPort[bank.Access]{}
	read, write := &wire.OutPort[bank.Request]{}, &wire.OutPort[bank.Access]{}
	value, operand := &wire.InPort[bank.Value]{}, &wire.OutPort[bank.Value]{}
	for want, x := range map[string]Extension{
		"":                              {Request: request, Result: result, Read: read, Write: write, Stages: 1},
		"one of Request and Result":     {Request: request, Read: read, Write: write, Stages: 1},
		"without Read and Write":        {Request: request, Result: result, Read: read, Stages: 1},
		"in less than one of Stages":    {Request: request, Result: result, Read: read, Write: write},
		"1 ports Granted and 0 Access":  {Granted: []*wire.InPort[bank.Access]{result}},
		"1 Ends of the operand network": {Ends: []*wire.InPort[bank.Value]{value}, Operand: operand},
		"2 Ends of the operand network": {Ends: []*wire.InPort[bank.Value]{value, value}},
		"one of Values and the option":  {Values: value},
		"Fill without Operand":          {Fill: value},
	} {
		err := x.check(&Part{Ends: 2, Banks: 4}, 0)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that contains %q", err, want)
		}
	}
}

func TestOnlyACrossbarHasAnExtraOutput(t *testing.T) {
	s := simple()
	s.Network = "butterfly"
	_, err := New(oneScheduler(), &s, ExtraOutput())
	if err == nil || !strings.HasPrefix(err.Error(), "network: found butterfly") {
		t.Errorf("error %v, want one that names the network", err)
	}
}
