package contracttest

import (
	"strings"
	"testing"

	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

// gated is a conventional register file behind a gate: an operation with
// destinations issues some cycles after it has been asked for.
type gated struct {
	wire.Comp
	file   regfile.Design
	in     []wire.InPort[regfile.WarpNotice]
	closed wire.Signal[regfile.WarpSet]
	shut   regfile.WarpSet
	grants []grant
	never  bool // the gate is not opened
	life   []regfile.WarpEvent
	count  [16]int // notices by event
	wrong  int     // notices without a life
}

type grant struct {
	at   wire.Cycle
	warp int
}

func gatedKind(never bool, built *[]*gated) *regfile.Kind {
	return regfile.Define(regfile.Kind{Name: "gated"}, regfile.Builder[conventional.Spec]{
		Default: conventional.Default,
		Build: func(env *regfile.Env, s *conventional.Spec) (regfile.Design, error) {
			f, err := conventional.New(env, s)
			if err != nil {
				return nil, err
			}
			g := &gated{file: f, never: never, life: make([]regfile.WarpEvent, env.Warps),
				in: make([]wire.InPort[regfile.WarpNotice], env.Schedulers)}
			g.Init(env.Name+".Gated", env.Domain, g)
			for i := range g.in {
				g.in[i].Init(&g.Comp, "In"+string(rune('A'+i)), 4)
			}
			for w := range env.Warps {
				g.shut.Add(w)
				g.life[w] = regfile.WarpFinished
			}
			g.closed.Init(&g.Comp, g.shut)
			*built = append(*built, g)
			return g, nil
		},
	})
}

func (g *gated) DataPorts() *regfile.Ports { return g.file.DataPorts() }

func holds(in *ir.Inst) bool { return in.T.NDst > 0 }

func (g *gated) Gates() []regfile.Gate {
	return []regfile.Gate{{Reason: "fill", Closed: &g.closed, Holds: holds, Asks: true}}
}

func (g *gated) Notices() regfile.Notices {
	n := regfile.Notices{Events: regfile.Events(regfile.WarpStarted, regfile.WarpActivated, regfile.WarpIssued,
		regfile.WarpHeld, regfile.WarpSuspended, regfile.WarpFinished)}
	for i := range g.in {
		n.Warp = append(n.Warp, &g.in[i])
	}
	return n
}

// follows lists the permitted predecessors of each event in the life of a warp.
var follows = map[regfile.WarpEvent]regfile.EventSet{
	regfile.WarpStarted:   regfile.Events(regfile.WarpFinished),
	regfile.WarpActivated: regfile.Events(regfile.WarpStarted, regfile.WarpSuspended),
	regfile.WarpHeld:      regfile.Events(regfile.WarpActivated, regfile.WarpIssued),
	regfile.WarpIssued:    regfile.Events(regfile.WarpActivated, regfile.WarpIssued, regfile.WarpHeld),
	regfile.WarpSuspended: regfile.Events(regfile.WarpIssued, regfile.WarpActivated),
	regfile.WarpFinished:  regfile.Events(regfile.WarpIssued),
}

func (g *gated) Tick(now wire.Cycle) bool {
	for i := range g.in {
		for n := g.in[i].Head(); n != nil; n = g.in[i].Head() {
			g.count[n.Event]++
			if !follows[n.Event].Has(g.life[n.Warp]) {
				g.wrong++
			}
			g.life[n.Warp] = n.Event
			switch {
			case n.Event == regfile.WarpHeld && !g.never:
				g.grants = append(g.grants, grant{now + 5, int(n.Warp)})
				g.WakeAt(now + 5)
			case n.Event == regfile.WarpIssued && holds(n.Inst):
				g.shut.Add(int(n.Warp))
			}
			g.in[i].Pop()
		}
	}
	for len(g.grants) > 0 && g.grants[0].at <= now {
		g.shut.Remove(g.grants[0].warp)
		g.grants = g.grants[1:]
	}
	g.closed.Set(g.shut)
	return false
}

func TestADesignThatListensAndGatesKeepsTheContract(t *testing.T) {
	for _, suspend := range []float64{0, 0.3} {
		var built []*gated
		Contract(t, gatedKind(false, &built), func(_ *regfile.Settings, c *Config) {
			c.Ops /= 2
			if suspend > 0 {
				c.Active, c.Suspend = c.Warps/2, suspend
			}
		})
		if len(built) == 0 {
			t.Fatal("nothing was built")
		}
		for _, g := range built {
			n := &g.count
			if g.wrong > 0 || n[regfile.WarpHeld] == 0 || n[regfile.WarpStarted] == 0 ||
				n[regfile.WarpStarted] != n[regfile.WarpFinished] ||
				n[regfile.WarpActivated] < n[regfile.WarpStarted]+n[regfile.WarpSuspended] || suspend > 0 &&
				n[regfile.WarpSuspended] == 0 {
				t.Errorf("suspended with probability %v: %d notices out of place; by event %v", suspend, g.wrong, *n)
			}
		}
	}
}

func TestAGateThatIsNeverOpenedIsReported(t *testing.T) {
	var built []*gated
	kind := gatedKind(true, &built)
	for name, c := range Configs() {
		o, err := Run(kind.Settings(), c, 0)
		if err != nil {
			t.Fatal(err)
		}
		if report := strings.Join(o.Problems, "\n"); !strings.Contains(report, "operations or notices missing") ||
			!strings.Contains(report, "gate fill is closed to it") {
			t.Errorf("%s: problems %q, want operations missing and the gate", name, report)
		}
	}
}
