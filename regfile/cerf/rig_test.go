package cerf

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kumiko/components/bank"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/memsys/req"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

const all = version.FullMask

// rig is the tags alone, with sources and sinks at all their ports. What is written to
// the banks is forgotten.
type rig struct {
	d       *wire.Domain
	x       *Tags
	reg     stats.Registry
	granted []*wiretest.Source[bank.Access]
	access  []*wiretest.Sink[bank.Access]
	values  *wiretest.Source[bank.Value]
	operand *wiretest.Sink[bank.Value]
	txn     *wiretest.Source[req.Txn]
	read    *wiretest.Sink[bank.Request]
	write   *wiretest.Sink[bank.Access]
	hit     *wiretest.Sink[req.Done]
	fill    *wiretest.Sink[req.Done]
	miss    *wiretest.Sink[req.Packet]
	reply   *wiretest.Source[req.Packet]
	ctas    *wiretest.Source[regfile.CTANotice]
}

// newRig builds the tags of an SM of eight warps of 32 registers.
func newRig(t testing.TB, s Spec) *rig {
	t.Helper()
	r := &rig{d: wire.NewDomain("Core", 1e9)}
	x, err := New(&conventional.Part{
		Env: &regfile.Env{Domain: r.d, Stats: &r.reg, Name: "SM[0]", SM: 3, Schedulers: 1, Warps: 8, Registers: 32,
			Checker: version.NewChecker(8, 32, 0)},
		Name: "SM[0].RegFile.SubCore[0]", SubCores: 1, Schedulers: 1, Collectors: 4, RequestRoom: 8, WriteRoom: 8,
		Writes: 4,
	}, s)
	if err != nil {
		t.Fatal(err)
	}
	r.x = x
	for g := range x.Granted {
		r.granted = append(r.granted, wiretest.NewSource(fmt.Sprintf("Arbiter[%d]", g), r.d, &x.Granted[g]))
		r.access = append(r.access, wiretest.NewSink(fmt.Sprintf("Bank[%d]", g), r.d, &x.Access[g], 5))
	}
	r.values = wiretest.NewSource("Crossbar", r.d, &x.Values)
	r.operand = wiretest.NewSink("Collectors", r.d, &x.Operand, 2)
	r.txn = wiretest.NewSource("Coalescer", r.d, &x.Txn)
	r.read = wiretest.NewSink("Reads", r.d, &x.Read, 2)
	r.write = wiretest.NewSink("Writes", r.d, &x.Write, 2)
	r.hit = wiretest.NewLooseSink[req.Done]("Hits", r.d, 64)
	wire.Connect(&x.Hit, &r.hit.In, int(x.hit))
	r.fill = wiretest.NewSink("Fills", r.d, &x.Fill, 2)
	r.miss = wiretest.NewSink("Miss", r.d, &x.Miss, s.MissQueue)
	r.reply = wiretest.NewSource("Net", r.d, &x.Reply)
	r.ctas = wiretest.NewSource("Residency", r.d, &x.CTAs)
	return r
}

// small is a memory of 64 entries: 32 sets of two ways, eight in each tag bank.
func small() Spec {
	s := Default()
	s.Bytes, s.Ways = 64*128, 2
	return s
}

// fetching returns a small memory with lanes = fetch: it fetches registers even if they have never left it.
func fetching() Spec {
	s := small()
	s.Lanes = LanesFetch
	return s
}

// put makes a result of some lanes of register n of the linear index visible to its tag
// bank at cycle at; its version is its number and one.
func (r *rig) put(at wire.Cycle, n int, lanes uint32) {
	g := n % len(r.granted)
	r.granted[g].Send(at-1, bank.Access{Content: version.Content{Seq: uint32(n + 1), Lanes: lanes},
		Entry: uint32(n / len(r.granted)), Bank: uint8(g), Kind: bank.Write, Cause: bank.Result})
}

// get makes a read of a register visible likewise, for collector 2.
func (r *rig) get(at wire.Cycle, n int, lanes uint32, w bank.Hint) {
	g := n % len(r.granted)
	r.granted[g].Send(at-1, bank.Access{Content: version.Content{Lanes: lanes}, Entry: uint32(n / len(r.granted)),
		Tag: uint32(at), Bank: uint8(g), To: 2, Slot: 1, Kind: bank.Read, Cause: bank.Operand, Hint: w})
}

// event is an access sent to the banks: its arrival, its kind, its row.
type event struct {
	At  wire.Cycle
	Do  string
	Row uint32
	To  uint8
}

func (r *rig) bankEvents(g int) (out []event) {
	for _, e := range r.access[g].Got {
		do := "read"
		if e.Msg.Kind != bank.Read {
			do = "write"
		}
		out = append(out, event{e.Cycle, do + " " + e.Msg.Cause.String(), e.Msg.Entry, e.Msg.To})
	}
	return out
}

// asked is a request sent to the L2.
type asked struct {
	At   wire.Cycle
	Kind req.Kind
	Of   string
	Line uint64 // number of the register, or of the line
	Size uint8
}

func (r *rig) asked() (out []asked) {
	for _, e := range r.miss.Got {
		line := e.Msg.Addr / 128
		if r.x.back.Has(e.Msg.Addr) {
			line = uint64(r.x.back.register(e.Msg.Addr))
		}
		out = append(out, asked{e.Cycle, e.Msg.Kind, e.Msg.Cause.String(), line, e.Msg.Bytes})
	}
	return out
}

func (r *rig) run()                    { r.d.RunUntil(400) }
func (r *rig) stat(name string) uint64 { return r.reg.Snapshot()["regfile.cerf."+name] }

func same(t testing.TB, what string, want, got any) {
	t.Helper()
	if d := cmp.Diff(want, got, cmpopts.EquateComparable(version.Content{})); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

// back answers the i-th request to the L2 at a cycle.
func (r *rig) back(at wire.Cycle, i int) {
	r.reply.Send(at-1, r.miss.Got[i].Msg.Answer())
}
