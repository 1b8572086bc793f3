package residency

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/stream"
	"kumiko/sm/message"
	"kumiko/sm/smtest"
)

// A credit of 2 is sent at 1 and seen at 2. SM 0 may start at once: it gets CTAs at
// 2 and 3. SM 1 may start at 9: at 9 and 10. A CTA is seen a cycle after it is
// handed out.
func TestAStaggeredSMGetsItsFirstCTAInItsOwnCycle(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	p := NewDispatcher("D", d, 2, 4, 0)
	r0 := wiretest.NewSource("R0", d, &p.Credits[0])
	r1 := wiretest.NewSource("R1", d, &p.Credits[1])
	g0 := wiretest.NewSink("G0", d, &p.Grants[0], 4)
	g1 := wiretest.NewSink("G1", d, &p.Grants[1], 4)
	list := &ctaList{}
	for i := range 8 {
		list.ctas = append(list.ctas, &stream.CTA{Index: i})
	}
	p.Stagger([]wire.Cycle{0, 9})
	p.Launch(list, func(wire.Cycle) {})
	r0.Send(1, message.CTACredit{Free: 2})
	r1.Send(1, message.CTACredit{Free: 2})
	d.RunUntil(40)
	at := func(s *wiretest.Sink[message.Grant]) (out []wire.Cycle) {
		for _, g := range s.Got {
			out = append(out, g.Cycle)
		}
		return out
	}
	if diff := cmp.Diff([]wire.Cycle{3, 4}, at(g0)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]wire.Cycle{10, 11}, at(g1)); diff != "" {
		t.Error(diff)
	}
}
