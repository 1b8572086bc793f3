package gpus_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks/benchtest"
	"kumiko/components/bank"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/gpus"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/result"
	"kumiko/memsys/l1"
	"kumiko/memsys/req"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

// remembers is, for tests, a conventional register file with every memory plane: it is an L1 without storage, has
// traffic of its own, and reads and writes the banks beside the collectors. For each instruction of a warp it reads
// a register's place, writes the value back to its region, and reads it again.
func init() {
	regfile.Register(regfile.Kind{
		Name: "remembers", Doc: "for tests: a conventional register file with every plane of memory",
	}, regfile.Builder[struct{}]{
		Default: func() struct{} { return struct{}{} },
		Build: func(env *regfile.Env, _ *struct{}) (regfile.Design, error) {
			r := &remembers{}
			var err error
			if r.region, err = env.Region(1 << 16); err != nil {
				return nil, err
			}
			s := conventional.Default()
			s.SubCores, s.Banks = 1, 4
			extend := func(p *conventional.Part) (*conventional.Extension, error) {
				r.init(env, p)
				return &conventional.Extension{Read: &r.read, Write: &r.write, Reads: 1, Writes: 1, Values: &r.values,
					Causes: 1 << bank.Switch}, nil
			}
			r.file, err = conventional.New(env, &s, conventional.ExtraOutput(), conventional.Extend(extend))
			return r, err
		},
	})
}

type remembers struct {
	wire.Comp
	file   *conventional.File
	region regfile.Region
	end    uint8

	read    wire.OutPort[bank.Request]
	write   wire.OutPort[bank.Access]
	values  wire.InPort[bank.Value]
	ask     wire.OutPort[req.Packet]
	answer  wire.InPort[req.Packet]
	txn     wire.InPort[req.Txn]
	hit     wire.OutPort[req.Done]
	fill    wire.OutPort[req.Done]
	miss    wire.OutPort[req.Packet]
	reply   wire.InPort[req.Packet]
	warps   []wire.InPort[regfile.WarpNotice]
	flushes int

	asked, came, loads uint64
}

func (r *remembers) init(env *regfile.Env, p *conventional.Part) {
	r.end = uint8(p.Collectors)
	r.Init(env.Name+".Remembers", env.Domain, r)
	r.read.Init(&r.Comp, "Read")
	r.write.Init(&r.Comp, "Write")
	r.values.Init(&r.Comp, "Values", 16)
	r.ask.Init(&r.Comp, "Ask")
	r.answer.Init(&r.Comp, "Answer", 1)
	r.txn.Init(&r.Comp, "Txn", 4)
	r.hit.Init(&r.Comp, "Hit")
	r.fill.Init(&r.Comp, "Fill")
	r.miss.Init(&r.Comp, "Miss")
	r.reply.Init(&r.Comp, "Reply", 1)
	r.warps = make([]wire.InPort[regfile.WarpNotice], env.Schedulers)
	for i := range r.warps {
		r.warps[i].Init(&r.Comp, fmt.Sprintf("Warps[%d]", i), 4)
	}
	env.Stats.Count("regfile.remembers.asked", stats.Events, "for tests: registers sent to the region", r.Name(),
		&r.asked)
	env.Stats.Count("regfile.remembers.came", stats.Events, "for tests: registers that came back", r.Name(), &r.came)
	env.Stats.Count("regfile.remembers.loads", stats.Accesses, "for tests: transactions", r.Name(), &r.loads)
}

func (r *remembers) DataPorts() *regfile.Ports { return r.file.DataPorts() }

func (r *remembers) Notices() regfile.Notices {
	n := regfile.Notices{Events: regfile.Events(regfile.WarpIssued)}
	for i := range r.warps {
		n.Warp = append(n.Warp, &r.warps[i])
	}
	return n
}

func (r *remembers) Memory() (*wire.OutPort[req.Packet], *wire.InPort[req.Packet]) {
	return &r.ask, &r.answer
}

func (r *remembers) Cache() *l1.Ports {
	return &l1.Ports{In: &r.txn, Hit: &r.hit, Fill: &r.fill, Miss: &r.miss, Reply: &r.reply, HitLatency: 1,
		HitStages: 1, Hits: 1, MissQueue: 2}
}

func (r *remembers) Flush() { r.flushes++ }

func (r *remembers) Tick(wire.Cycle) bool {
	for p := r.reply.Head(); p != nil && r.fill.CanPut(); p = r.reply.Head() {
		d, _ := req.TagDone(p.Tag)
		r.fill.Put(d)
		r.reply.Pop()
	}
	for t := r.txn.Head(); t != nil && r.miss.CanPut(); t = r.txn.Head() {
		p := req.Packet{Addr: t.Addr, Tag: t.Done().Tag(), Kind: t.Kind, Cause: t.Cause, Sectors: t.Sectors,
			Full: t.Full, Ops: t.Ops, Depth: t.Depth}
		if t.Kind != req.Read {
			p.Bytes = t.Bytes
		}
		r.miss.Put(p)
		r.loads++
		r.txn.Pop()
	}
	r.answers()
	for i := range r.warps {
		for n := r.warps[i].Head(); n != nil; n = r.warps[i].Head() {
			if n.PC == 0 && r.read.CanPut() {
				r.read.Put(bank.Request{Tag: uint32(n.Warp), Bank: [bank.MaxReads]uint8{uint8(n.Warp % 4)}, N: 1,
					To: r.end, Cause: bank.Switch})
			}
			r.warps[i].Pop()
		}
	}
	return false
}

// answers writes the values from the banks to the region, reads them there, and writes them back.
func (r *remembers) answers() {
	for v := r.values.Head(); v != nil && r.ask.Room(2) >= 2; v = r.values.Head() {
		at := r.region.Base + uint64(v.Tag)*req.LineBytes
		r.ask.Put(req.Packet{Addr: at, Kind: req.Write, Cause: req.Context, Flags: req.Posted, Sectors: req.AllSectors,
			Full: req.AllSectors, Bytes: req.LineBytes})
		r.ask.Put(req.Packet{Addr: at, Tag: v.Tag, Kind: req.Read, Cause: req.Context, Sectors: req.AllSectors})
		r.asked++
		r.values.Pop()
	}
	for p := r.answer.Head(); p != nil && r.write.CanPut(); p = r.answer.Head() {
		r.write.Put(bank.Access{Bank: uint8(p.Tag % 4), Entry: uint32(1), Kind: bank.Write, Cause: bank.Switch})
		r.came++
		r.answer.Pop()
	}
	if r.values.Head() != nil {
		r.ask.CanPut()
		r.Wake()
	}
}

// remembered runs an application with settings.
func remembered(t *testing.T, name string, opt gpus.Options, prepare func(*gpus.Machine),
	set ...string) []result.Kernel {
	t.Helper()
	m := machinetest.GPU(t, "fermi-gto", opt, set...)
	if prepare != nil {
		prepare(m)
	}
	benchtest.On(t, m, name)
	return m.Results()
}

// Every load goes through the design to the L2, and none through an L1, since there is none. The design's own
// traffic is counted by its cause, at the L2 and at the banks.
func TestADesignIsTheL1AndHasTrafficOfItsOwn(t *testing.T) {
	for _, name := range []string{"bfs", "atax"} {
		base := result.Sum(remembered(t, name, gpus.Options{}, nil, "sm.count=2"))
		k := result.Sum(remembered(t, name, gpus.Options{Check: true}, nil, "sm.count=2", "regfile.kind=remembers"))
		s := k.Stats
		if s["mem.l1.accesses.global_load"] != 0 || s["regfile.remembers.loads"] == 0 ||
			s["regfile.remembers.loads"] != base.Stats["mem.coalescer.transactions"] {
			t.Errorf("%s: %d loads in an L1, %d in the design, want 0 and %d", name, s["mem.l1.accesses.global_load"],
				s["regfile.remembers.loads"], base.Stats["mem.coalescer.transactions"])
		}
		n := s["regfile.remembers.asked"]
		if n == 0 || s["regfile.remembers.came"] != n || s["mem.l2.accesses.context"] != 2*n ||
			s["regfile.bank.reads.switch"] != n || s["regfile.bank.writes.switch"] != n {
			t.Errorf("%s: %d registers went to the region, %d came back; %d accesses at the L2, %d reads and %d "+
				"writes of the banks", name, n, s["regfile.remembers.came"],
				s["mem.l2.accesses.context"], s["regfile.bank.reads.switch"], s["regfile.bank.writes.switch"])
		}
		if k.WarpInstructions != base.WarpInstructions {
			t.Errorf("%s: %d instructions, want %d", name, k.WarpInstructions, base.WarpInstructions)
		}
	}
}

func TestTheRegionsOfSMsFollowOneAnother(t *testing.T) {
	m := machinetest.GPU(t, "fermi-gto", gpus.Options{}, "sm.count=3", "regfile.kind=remembers")
	for i := range gpus.Chip(m).SMs {
		r := gpus.Chip(m).SMs[i].Regfile.(*remembers).region
		if want := uint64(8<<40 + i<<16); r.Base != want || r.Bytes != 1<<16 || r.Has(r.Base-1) ||
			!r.Has(r.Base+r.Bytes-1) || r.Has(r.Base+r.Bytes) {
			t.Errorf("SM %d: region %+v, want base %#x", i, r, want)
		}
	}
	for _, bytes := range []uint64{0, 100, 200, 1<<32 + 128} {
		if _, err := (&regfile.Env{}).Region(bytes); err == nil {
			t.Errorf("a region of %d bytes was granted", bytes)
		}
	}
}

func TestADesignThatIsTheL1IsFlushedBetweenLaunches(t *testing.T) {
	for set, want := range map[string]int{"cache.flush_between_launches=true": 11,
		"cache.flush_between_launches=false": 0} {
		m := machinetest.GPU(t, "fermi-gto", gpus.Options{}, "sm.count=1", "regfile.kind=remembers", set)
		benchtest.On(t, m, "bfs")
		if got := gpus.Chip(m).SMs[0].Regfile.(*remembers).flushes; got != want || len(m.Results()) != 12 {
			t.Errorf("%s: flushed %d times, want %d; %d launches", set, got, want, len(m.Results()))
		}
	}
}

func TestMemoryPlanesDoNotDependOnTickOrderOrWorkers(t *testing.T) {
	want := remembered(t, "bfs", gpus.Options{}, nil, "sm.count=2", "regfile.kind=remembers")
	for seed := range uint64(2) {
		if d := cmp.Diff(want, remembered(t, "bfs", gpus.Options{Workers: 2},
			func(m *gpus.Machine) {
				machinetest.Shuffle(m,
					seed)
			},
			"sm.count=2", "regfile.kind=remembers")); d != "" {
			t.Errorf("seed %d (-construction order +shuffled):\n%.1500s", seed, d)
		}
	}
}
