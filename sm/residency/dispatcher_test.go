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

type ctaList struct {
	ctas []*stream.CTA
}

func (l *ctaList) Next() *stream.CTA {
	if len(l.ctas) == 0 {
		return nil
	}
	c := l.ctas[0]
	l.ctas = l.ctas[1:]
	return c
}

func (l *ctaList) Err() error { return nil }

// reused is a source noting the CTAs returned to it.
type reused struct {
	ctaList
	back []int
}

func (r *reused) Release(c *stream.CTA) { r.back = append(r.back, c.Index) }

func TestTheDispatcherGivesCTAsThatHaveRetiredBackToTheirSource(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	p := NewDispatcher("D", d, 1, 4, 0)
	room := wiretest.NewSource("R", d, &p.Credits[0])
	grants := wiretest.NewSink("G", d, &p.Grants[0], 4)
	list := &reused{}
	for i := range 3 {
		list.ctas = append(list.ctas, &stream.CTA{Index: i})
	}
	p.Launch(list, func(wire.Cycle) {})
	room.Send(1, message.CTACredit{Free: 3})
	d.RunUntil(10)
	if len(grants.Got) != 3 {
		t.Fatalf("%d CTAs granted, want 3", len(grants.Got))
	}
	room.Send(20, message.CTACredit{Gone: []*stream.CTA{grants.Got[2].Msg.CTA, grants.Got[0].Msg.CTA}})
	d.RunUntil(30)
	if d := cmp.Diff([]int{2, 0}, list.back); d != "" {
		t.Error(d)
	}
}

func TestTheDispatcherDealsCTAsInGridOrderAndEndsWhenAllHaveRetired(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	p := NewDispatcher("D", d, 2, 4, 0)
	r0 := wiretest.NewSource("R0", d, &p.Credits[0])
	r1 := wiretest.NewSource("R1", d, &p.Credits[1])
	g0 := wiretest.NewSink("G0", d, &p.Grants[0], 4)
	g1 := wiretest.NewSink("G1", d, &p.Grants[1], 4)
	list := &ctaList{}
	for i := range 5 {
		list.ctas = append(list.ctas, &stream.CTA{Index: i})
	}
	var end wire.Cycle
	p.Launch(list, func(now wire.Cycle) { end = now })
	r0.Send(1, message.CTACredit{Free: 2})
	r1.Send(1, message.CTACredit{Free: 2})
	r1.Send(10, message.CTACredit{Free: 1, Gone: make([]*stream.CTA, 1)})
	r0.Send(12, message.CTACredit{Gone: make([]*stream.CTA, 2)})
	r1.Send(20, message.CTACredit{Gone: make([]*stream.CTA, 2)})
	d.RunUntil(40)
	index := func(s *wiretest.Sink[message.Grant]) (out []int) {
		for _, g := range s.Got {
			out = append(out, g.Msg.CTA.Index)
		}
		return out
	}
	if d := cmp.Diff([]int{0, 2}, index(g0)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]int{1, 3, 4}, index(g1)); d != "" {
		t.Error(d)
	}
	if end != 21 {
		t.Errorf("ended at %d, want 21: the last word is sent at 20", end)
	}
}

func TestTheDispatcherHandsOutNoMoreCTAsInACycleThanTheChipsRate(t *testing.T) {
	for rate, want := range map[int][]wire.Cycle{1: {1, 2, 3, 4}, 2: {1, 1, 2, 2}, 3: {1, 1, 1, 2}, 0: {1, 1, 1, 2}} {
		d := wire.NewDomain("core", smtest.GHz)
		p := NewDispatcher("D", d, 3, 4, rate)
		var sinks []*wiretest.Sink[message.Grant]
		for i := range p.Credits {
			wiretest.NewSource("R", d, &p.Credits[i]).Send(0, message.CTACredit{Free: 2})
			sinks = append(sinks, wiretest.NewSink("G", d, &p.Grants[i], 4))
		}
		list := &ctaList{ctas: []*stream.CTA{{}, {Index: 1}, {Index: 2}, {Index: 3}}}
		p.Launch(list, func(wire.Cycle) {})
		d.RunUntil(20)
		got := make([]wire.Cycle, 4)
		for _, s := range sinks {
			for _, g := range s.Got {
				got[g.Msg.CTA.Index] = g.Cycle
			}
		}
		first := got[0]
		for i := range got {
			got[i] -= first - 1
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%d CTAs per cycle: %s", rate, d)
		}
	}
}

// dealt is a dispatcher of three SMs, with the CTAs given to each.
func dealt(ctas int) (d *wire.Domain, p *Dispatcher, rooms []*wiretest.Source[message.CTACredit], given [][]int) {
	d = wire.NewDomain("core", smtest.GHz)
	p = NewDispatcher("D", d, 3, 4, 0)
	given = make([][]int, 3)
	for i := range p.Credits {
		rooms = append(rooms, wiretest.NewSource("R", d, &p.Credits[i]))
		wiretest.NewSink("G", d, &p.Grants[i], 4).Receive = func(_ wire.Cycle, g message.Grant) {
			given[i] = append(given[i], g.CTA.Index)
		}
	}
	list := &ctaList{}
	for i := range ctas {
		list.ctas = append(list.ctas, &stream.CTA{Index: i})
	}
	p.Launch(list, func(wire.Cycle) {})
	return d, p, rooms, given
}

func TestADispatcherSaysHowManyCTAsAreOut(t *testing.T) {
	d, p, rooms, _ := dealt(3)
	d.RunUntil(5)
	if got := p.Waiting(); got != "" {
		t.Errorf("%q before any CTA is handed out, want nothing", got)
	}
	rooms[0].Send(10, message.CTACredit{Free: 3})
	rooms[0].Send(20, message.CTACredit{Gone: make([]*stream.CTA, 1)})
	d.RunUntil(30)
	if got, want := p.Waiting(), "3 CTAs handed out, 1 of them retired"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// SM 0 has had a CTA, now retired without a successor. SM 1 is served first when all have
// room.
func TestTheSMBehindTheLastThatWasServedIsServedFirst(t *testing.T) {
	d, _, rooms, given := dealt(4)
	rooms[0].Send(5, message.CTACredit{Free: 1})
	rooms[0].Send(10, message.CTACredit{Gone: make([]*stream.CTA, 1)})
	for i := range rooms {
		rooms[i].Send(20, message.CTACredit{Free: 1})
	}
	d.RunUntil(40)
	for i, want := range [][]int{{0, 3}, {1}, {2}} {
		if len(given[i]) != len(want) || given[i][len(want)-1] != want[len(want)-1] {
			t.Errorf("SM %d has CTAs %v, want %v", i, given[i], want)
		}
	}
}
