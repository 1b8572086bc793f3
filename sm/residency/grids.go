package residency

import (
	"fmt"
	"slices"

	"kumiko/components/spec"
	"kumiko/components/wire"
	"kumiko/kernel/stream"
	"kumiko/sm/message"
)

// Needs are resources of an SM: those that a CTA takes until it retires, or those that the SM has.
type Needs struct {
	CTAs, Warps, Threads int
	Registers            int // 32-bit
	Shared               int // bytes
}

func (n *Needs) fits(free *Needs) bool {
	return n.CTAs <= free.CTAs && n.Warps <= free.Warps && n.Threads <= free.Threads && n.Registers <= free.Registers &&
		n.Shared <= free.Shared
}

// exceeded names the first resource of which there is not enough in a share.
func (n *Needs) exceeded(share *Needs) string {
	for _, r := range []struct {
		name       string
		needs, has int
	}{{"CTA", n.CTAs, share.CTAs}, {"warps", n.Warps, share.Warps}, {"threads", n.Threads, share.Threads},
		{"registers", n.Registers, share.Registers}} {
		if r.needs > r.has {
			return fmt.Sprintf("%d %s, and the share has %d", r.needs, r.name, r.has)
		}
	}
	return fmt.Sprintf("%d bytes of shared memory, and the share has %d", n.Shared, share.Shared)
}

// add adds times the resources of o.
func (n *Needs) add(o *Needs, times int) {
	n.CTAs += times * o.CTAs
	n.Warps += times * o.Warps
	n.Threads += times * o.Threads
	n.Registers += times * o.Registers
	n.Shared += times * o.Shared
}

// percent returns a part of the resources.
func (n Needs) percent(p int) Needs {
	return Needs{CTAs: n.CTAs * p / 100, Warps: n.Warps * p / 100, Threads: n.Threads * p / 100,
		Registers: n.Registers * p / 100, Shared: n.Shared * p / 100}
}

// Grid is a launch that may overlap with others. Its CTAs are handed out in their order.
type Grid struct {
	CTAs   []*stream.CTA // the dispatcher sets their Memory
	Stream int           // from 0
	After  []*Grid       // those that have to end before this one begins
	Needs  Needs         // of a CTA
	Number int           // of the launch, from 0
	Kernel int           // the number of its kernel among those of the program
	// Pairs is the most pairs of its CTAs on an SM; the second CTA of a pair takes Second registers instead of those of
	// Needs.
	Pairs, Second int

	// The dispatcher sets when the grid could begin, when its first CTA was handed out, and when it learned that the
	// last one had retired.
	Ready, Begin, End wire.Cycle

	next  int // of CTAs
	out   int // handed out and not yet retired
	state gridState
}

type gridState uint8

const (
	gridWaits gridState = iota // for others
	gridReady                  // from cycle Ready on
	gridEnded
)

// Sharing says whose CTA an SM with room gets.
type Sharing struct {
	Policy string `toml:"policy" unit:"-" doc:"whose CTA an SM with room gets where launches of several streams overlap. left-over: one of the launch that was ready first, and of the next one where the first has none left or its CTA has no room. round-robin: of each launch in turn. spatial: the SMs are divided among the streams, an equal number of neighbours for each. in-order: none overlap, each launch begins when the one before it has ended" values:"left-over,round-robin,spatial,in-order" default:"left-over"`
	Share  []int  `toml:"share" unit:"percent" doc:"most of an SM's warps, threads, CTAs, registers and shared memory that the CTAs of a stream may take, for streams 1, 2 and so on; empty: all of them"`
}

// Policies of a Sharing.
const (
	LeftOver   = "left-over"
	RoundRobin = "round-robin"
	Spatial    = "spatial"
	InOrder    = "in-order" // the machine runs launches one by one; LaunchTogether is not used
)

// Check refuses unknown policies and shares out of range.
func (s *Sharing) Check() error {
	for _, p := range s.Share {
		if p < 1 || p > 100 {
			return spec.Errorf("share", p, "1 to 100 for each stream")
		}
	}
	return spec.OneOf("policy", s.Policy, LeftOver, RoundRobin, Spatial, InOrder)
}

// Together are grids that run side by side.
type Together struct {
	Grids   []*Grid
	Streams int
	Sharing *Sharing // its Share is that of these streams, in order
	SM      Needs    // what an SM has
	// Shared is the number of places of an SM for the registers that the warps of pairs share.
	Shared int
	// Gap is the time from the end of a grid to the beginning of one that waits for it.
	Gap wire.Cycle
	// Latency is the time from there to the first CTA: that of a launch.
	Latency wire.Cycle
}

// sideBySide is the dispatcher's state while grids run side by side.
type sideBySide struct {
	*Together
	ready  []*Grid // that have CTAs to hand out, in the order in which they became ready
	left   int     // grids that have not ended
	free   []Needs // by SM
	used   [][]Needs
	roles  map[*stream.CTA]role // of the CTAs handed out
	pairs  []pairsOf            // by SM
	limit  []Needs              // by stream; empty: none has a limit of its own
	served int                  // the place in ready of the grid served last
}

// LaunchTogether starts grids that run side by side. It calls done in the cycle in which the dispatcher is informed
// of the last retirement. An error names a share without a stream or a stream without a share, or a CTA that fits no SM
// within its share.
func (p *Dispatcher) LaunchTogether(t *Together, done func(now wire.Cycle)) error {
	s := &sideBySide{Together: t, left: len(t.Grids), served: -1}
	if n := len(t.Sharing.Share); n > 0 && n != t.Streams {
		return spec.Errorf("share", t.Sharing.Share, "a share for each of %d streams", t.Streams)
	}
	if t.Sharing.Policy == Spatial && t.Streams > len(p.room) {
		return spec.Errorf("policy", Spatial, "another one, or at least %d SMs for as many streams", t.Streams)
	}
	for _, percent := range t.Sharing.Share {
		s.limit = append(s.limit, t.SM.percent(percent))
	}
	for i, g := range t.Grids {
		if len(s.limit) > 0 && !g.Needs.fits(&s.limit[g.Stream]) {
			return spec.Errorf("share", t.Sharing.Share[g.Stream], "room for a CTA of launch %d: it needs %s", i+1,
				g.Needs.exceeded(&s.limit[g.Stream]))
		}
		for _, c := range g.CTAs {
			c.Memory = g
		}
	}
	s.free = slices.Repeat([]Needs{t.SM}, len(p.room))
	for range p.room {
		s.used = append(s.used, make([]Needs, t.Streams))
		s.pairs = append(s.pairs, pairsOf{taken: make([]bool, t.Shared)})
	}
	s.roles = map[*stream.CTA]role{}
	p.source, p.memory, p.next, p.onDone, p.held = nil, nil, nil, done, false
	p.out, p.given, p.gone, p.first, p.beside = 0, 0, 0, 0, s
	clear(p.room)
	s.wait(p.Now(), 0)
	p.Wake()
	return nil
}

// wait makes grids ready whose predecessors have ended, after a gap.
func (s *sideBySide) wait(now, gap wire.Cycle) {
	for _, g := range s.Grids {
		if g.state == gridWaits && !slices.ContainsFunc(g.After, func(o *Grid) bool { return o.state != gridEnded }) {
			g.state, g.Ready = gridReady, now+gap
			s.ready = append(s.ready, g)
		}
	}
}

// tickBeside is Tick where grids run side by side.
func (p *Dispatcher) tickBeside(now wire.Cycle) bool {
	s := p.beside
	for i := range p.Credits {
		for r := p.Credits[i].Take(); r != nil; r = p.Credits[i].Take() {
			p.room[i] += int(r.Free)
			for _, c := range r.Gone {
				p.out--
				p.gone++
				s.retired(i, c, now)
			}
			clear(r.Gone) // the port still has the message
		}
	}
	if s.left == 0 && p.onDone != nil {
		done := p.onDone
		p.onDone, p.beside = nil, nil
		done(now)
		return false
	}
	again, last, left := false, -1, p.rate
	for k := range p.room {
		i := (p.first + k) % len(p.room)
		if p.room[i] == 0 || p.early(i, now) || !p.Grants[i].CanPut() {
			continue
		}
		g := s.choose(i, len(p.room), now)
		if g == nil {
			continue
		}
		again = true // the next cycle may serve this SM again, or those that have had no turn
		if left == 0 {
			break
		}
		left--
		p.Grants[i].Put(s.hand(i, g, now))
		p.room[i]--
		p.out++
		p.given++
		last = i
	}
	if last >= 0 {
		p.first = (last + 1) % len(p.room)
	}
	for _, g := range s.ready {
		if at := g.Ready + s.Latency; at > now {
			p.WakeAt(at)
			break // those behind are ready later
		}
	}
	return again
}

// retired gives the resources of a CTA back. With its last CTA a grid ends.
func (s *sideBySide) retired(sm int, c *stream.CTA, now wire.Cycle) {
	g, x := c.Memory.(*Grid), s.roles[c]
	delete(s.roles, c)
	n := x.needs(g)
	s.free[sm].add(&n, 1)
	s.used[sm][g.Stream].add(&n, -1)
	s.pairs[sm].leave(&x)
	g.out--
	if g.out > 0 || g.next < len(g.CTAs) {
		return
	}
	g.state, g.End = gridEnded, now
	s.left--
	s.wait(now, s.Gap)
}

// choose returns the grid of which an SM gets a CTA, or nil.
func (s *sideBySide) choose(sm, sms int, now wire.Cycle) *Grid {
	n := len(s.ready)
	from := 0
	if s.Sharing.Policy == RoundRobin {
		from = s.served + 1
	}
	for k := range n {
		g := s.ready[(from+k)%n]
		if g.Ready+s.Latency > now || s.Sharing.Policy == Spatial && sm*s.Streams/sms != g.Stream {
			continue
		}
		if _, ok := s.role(sm, g); ok {
			return g
		}
	}
	return nil
}

// room reports whether an SM has resources for a CTA of a grid.
func (s *sideBySide) room(sm int, g *Grid, n *Needs) bool {
	if !n.fits(&s.free[sm]) {
		return false
	}
	if len(s.limit) == 0 {
		return true
	}
	with := s.used[sm][g.Stream]
	with.add(n, 1)
	return with.fits(&s.limit[g.Stream])
}

// hand takes the next CTA of a grid for an SM.
func (s *sideBySide) hand(sm int, g *Grid, now wire.Cycle) message.Grant {
	x, _ := s.role(sm, g)
	n := x.needs(g)
	s.free[sm].add(&n, -1)
	s.used[sm][g.Stream].add(&n, 1)
	s.served = slices.Index(s.ready, g)
	if g.next == 0 {
		g.Begin = now
	}
	c := g.CTAs[g.next]
	g.next++
	g.out++
	if g.next == len(g.CTAs) {
		s.ready = slices.Delete(s.ready, s.served, s.served+1)
		s.served--
	}
	s.pairs[sm].enter(&x)
	s.roles[c] = x
	return message.Grant{CTA: c, Role: x.notice(g)}
}

// waiting describes the grids that have not ended.
func (s *sideBySide) waiting() string {
	waits := 0
	for _, g := range s.Grids {
		if g.state == gridWaits {
			waits++
		}
	}
	return fmt.Sprintf("%d of %d launches have not ended, of which %d wait for others", s.left, len(s.Grids), waits)
}
