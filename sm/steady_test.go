package sm

import (
	"testing"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/regfile"
	"kumiko/sm/message"
	"kumiko/sm/residency"
	"kumiko/sm/sched"
	"kumiko/sm/smtest"
)

// oddIssuer issues 2t+1 thread instructions in cycle t: t x t before it.
type oddIssuer struct {
	wire.Comp
	s *sched.Steady
}

func (x *oddIssuer) Tick(now wire.Cycle) bool {
	x.s.Issued(now, int(2*now+1))
	return now < 60
}

// CTAs of one warp are admitted at 4 and 8; one retires at 21 and is replaced at 26; the next retires at 41 and
// the last at 51. The SM holds its maximum of two first at 8, and last until 41; by cycle t it has issued t x t
// thread instructions.
func TestTheSteadyStateLastsFromTheFirstFullResidencyToTheEndOfTheLast(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	r := residency.New("R", d, residency.Places{Contexts: 8, CTAs: 4, Schedulers: 1}, nil)
	grants := wiretest.NewSource("G", d, &r.Grants)
	ended := wiretest.NewSource("E", d, &r.Ended[0])
	wiretest.NewSink("Credits", d, &r.Credits, 4)
	wiretest.NewSink("Fetch", d, &r.ToFetch, 4)
	wiretest.NewSink("Bar", d, &r.ToBar, 4)
	wiretest.NewSink("Sched", d, &r.ToScheds[0], 4)
	m := &SM{Residency: r}
	r.AddListener(&m.steady)
	issuer := &oddIssuer{s: &m.steady}
	issuer.Init("Issuer", d, issuer)
	issuer.Wake()
	r.Limit(regfile.Residency{Resident: 2, Active: 2}, 0)
	for _, at := range []wire.Cycle{3, 7, 25} {
		grants.Send(at, message.Grant{CTA: smtest.CtaOf(1)})
	}
	for i, at := range []wire.Cycle{20, 40, 50} {
		ended.Send(at, message.WarpEnd{Warp: uint16(i % 2)})
	}
	d.RunUntil(30)
	if cycles, lanes := m.Steady(30); cycles != 30-8 || lanes != 30*30-8*8 {
		t.Errorf("cut short at 30: %d instructions in %d cycles, want %d in 22", lanes, cycles, 30*30-8*8)
	}
	d.RunUntil(100)
	if cycles, lanes := m.Steady(60); cycles != 41-8 || lanes != 41*41-8*8 {
		t.Errorf("%d instructions in %d cycles, want %d in 33", lanes, cycles, 41*41-8*8)
	}
}
