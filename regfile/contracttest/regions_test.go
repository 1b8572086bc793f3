package contracttest

import (
	"fmt"
	"testing"

	"kumiko/components/wire"
	"kumiko/kernel/compiler/intervals"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

// regional is a conventional register file with gates: a warp waits some cycles when it enters a region and when it
// becomes active.
type regional struct {
	wire.Comp
	file  regfile.Design
	in    []wire.InPort[regfile.WarpNotice]
	opens []wire.OutPort[regfile.Open]
	sets  []intervals.Set
	due   []grant
	at    []intervals.Set // by warp: the set of its region
	shut  []bool

	entered, foreign, early int
}

const wait = 4

func regionalKind(built *[]*regional) *regfile.Kind {
	return regfile.Define(regfile.Kind{Name: "regional"}, regfile.Builder[conventional.Spec]{
		Default: conventional.Default,
		Build: func(env *regfile.Env, s *conventional.Spec) (regfile.Design, error) {
			f, err := conventional.New(env, s)
			if err != nil {
				return nil, err
			}
			g := &regional{file: f, in: make([]wire.InPort[regfile.WarpNotice], env.Schedulers),
				opens: make([]wire.OutPort[regfile.Open], env.Schedulers),
				at:    make([]intervals.Set, env.Warps), shut: make([]bool, env.Warps)}
			g.Init(env.Name+".Regional", env.Domain, g)
			for i := range g.in {
				g.in[i].Init(&g.Comp, fmt.Sprintf("In[%d]", i), 4)
				g.opens[i].Init(&g.Comp, fmt.Sprintf("Opens[%d]", i))
			}
			*built = append(*built, g)
			return g, nil
		},
	})
}

func (g *regional) DataPorts() *regfile.Ports { return g.file.DataPorts() }

func (g *regional) Inserts() string { return "region" }

func (g *regional) Begin(plan any) { g.sets = plan.([]intervals.Set) }

func (g *regional) Gates() []regfile.Gate {
	x := regfile.Gate{Reason: "region", Shuts: regfile.Events(regfile.WarpActivated, regfile.WarpInserted)}
	for i := range g.opens {
		x.Opens = append(x.Opens, &g.opens[i])
	}
	return []regfile.Gate{x}
}

func (g *regional) Notices() regfile.Notices {
	n := regfile.Notices{Events: regfile.Events(regfile.WarpActivated, regfile.WarpIssued, regfile.WarpInserted)}
	for i := range g.in {
		n.Warp = append(n.Warp, &g.in[i])
	}
	return n
}

func (g *regional) Tick(now wire.Cycle) bool {
	for i := range g.in {
		for n := g.in[i].Head(); n != nil; n = g.in[i].Head() {
			g.receive(now, n)
			g.in[i].Pop()
		}
	}
	for len(g.due) > 0 && g.due[0].at <= now {
		w := g.due[0].warp
		g.shut[w] = false
		g.opens[w%len(g.opens)].Put(regfile.Open{Warp: uint16(w)})
		g.due = g.due[1:]
	}
	if len(g.due) > 0 {
		g.WakeAt(g.due[0].at)
	}
	return false
}

func (g *regional) receive(now wire.Cycle, n *regfile.WarpNotice) {
	w := int(n.Warp)
	switch n.Event {
	case regfile.WarpIssued:
		if own := registersOf(&n.Inst.T); g.at[w].Or(own) != g.at[w] {
			g.foreign++
		}
		if g.shut[w] {
			g.early++
		}
		return
	case regfile.WarpInserted:
		g.at[w] = g.sets[n.PC]
		g.entered++
	}
	g.shut[w] = true
	g.due = append(g.due, grant{now + wait, w})
}

func TestARegionIsEnteredByItsOperationAndWaitedForBeforeAnythingIssues(t *testing.T) {
	var built []*regional
	Contract(t, regionalKind(&built), func(_ *regfile.Settings, c *Config) {
		c.Ops /= 2
		c.Active, c.Suspend, c.Regions = c.Warps/2, 0.2, 12
		c.Plan = func(sets []intervals.Set) any { return sets }
	})
	if len(built) == 0 {
		t.Fatal("nothing was built")
	}
	for _, g := range built {
		if g.entered != len(g.sets) || g.foreign > 0 || g.early > 0 {
			t.Errorf("%d of %d regions entered, %d operations with registers of others, %d before the gate was opened",
				g.entered, len(g.sets), g.foreign, g.early)
		}
	}
}
