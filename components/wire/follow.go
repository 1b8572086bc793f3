package wire

import "fmt"

// following is what a partition knows of its leader and followers.
//
// Links between a follower and its leader behave as those within a clock domain, if their clocks are equal: space
// freed at t is visible at t+1. The follower runs each window after the leader, so it knows what the leader has sent
// and popped by then.
//
// The leader does not know yet which places the follower frees in the window. It need not while it has room: a place
// known to be free stays free. When a link has less room than aheadRoom, leader and follower run in the order of time
// until it has more again.
type following struct {
	leader    *Partition
	followers []*Partition
	short     []*lane    // of a leader: links to followers that had less room than aheadRoom when last looked at
	stepped   *Partition // of a leader: the follower that it steps at present, or nil
}

// aheadRoom is the least room of a link to a follower with which the leader runs ahead: three places for the messages
// of a cycle, and one at which a block may look after them.
const aheadRoom = 4

// NewFollower adds a partition that follows this one, its leader. Links and signals join a follower to its leader
// alone, and are at least as long as the window. It has no stock components. Since the leader may run ahead of it, a
// block of the leader puts at most three messages in a cycle on a link to it, and asks for no more room than is known
// to be free. A run panics where an answer could be wrong.
func (p *Partition) NewFollower(name string) *Partition {
	if p.leader != nil {
		panic(fmt.Sprintf("wire: partition %s is to follow %s, which follows %s itself", name, p.name, p.leader.name))
	}
	f := p.engine.NewPartition(name)
	f.leader = p
	p.followers = append(p.followers, f)
	meet(p, f)
	return f
}

// related reports whether one of two partitions follows the other.
func related(p, q *Partition) bool { return p != nil && q != nil && (p.leader == q || q.leader == p) }

// near reports whether links between two domains behave as those within one, because the partition of one follows the
// other's and their clocks are equal.
func near(a, b *Domain) bool { return a.hz == b.hz && related(a.part, b.part) }

// runWithFollowers runs the partition up to the bound, and then its followers, for a worker that works alone.
func (p *Partition) runWithFollowers(b bound, round uint64) {
	p.run(b)
	for k := range p.followers {
		f := p.followers[turn(k, len(p.followers), round)]
		f.collect(0)
		f.run(b)
	}
}

// awaitRoom steps the followers behind short links, in the order of time, up to the leader's next step. Space that they
// free may bring this step forward.
func (p *Partition) awaitRoom(b bound) {
	p.unlistRoomy()
	for i, l := range p.short {
		f := l.rx.dom.part
		if i > 0 && p.short[i-1].rx.dom.part == f {
			continue // done already
		}
		f.parity = p.parity
		f.collect(p.parity)
	}
	for len(p.short) > 0 {
		f, end := p.nextShort(b)
		if f == nil {
			return
		}
		p.stepped = f
		f.step(end)
		p.stepped = nil
		for _, l := range f.incoming {
			l.refund(p.parity)
		}
		p.unlistRoomy()
	}
}

// nextShort returns the first follower behind a short link to step before the leader's next step, or nil, and the bound
// of this step: the leader's next step, or an edge of its fastest clock before its next event.
func (p *Partition) nextShort(b bound) (f *Partition, end bound) {
	hz := uint64(0)
	for _, d := range p.domains {
		hz = max(hz, d.hz)
	}
	if next, ok := p.next(hz, b); ok {
		if next.at == 0 { // an event before the first edge: a follower has nothing before it
			return nil, b
		}
		b = bound{next, false}.earlier(b)
	}
	var first edge
	for _, l := range p.short {
		x := l.rx.dom.part
		x.setLimits(b)
		if d, c := x.nextEdge(); d != nil && (f == nil || (edge{c, d.hz}).compare(first) < 0) {
			f, first = x, edge{c, d.hz}
		}
	}
	return f, b
}

// unlistRoomy takes links that have room again off the list of short ones.
func (p *Partition) unlistRoomy() {
	n := 0
	for _, l := range p.short {
		if l.room < aheadRoom {
			p.short[n] = l
			n++
		} else {
			l.short = false
		}
	}
	p.short = p.short[:n]
}

// useRoom counts a message to a follower.
func (l *lane) useRoom(now Cycle) {
	if l.room--; l.room < aheadRoom && !l.short {
		l.listShort(now)
	}
	if l.room == 0 {
		l.mustKnow(now)
	}
}

// mustKnow panics if the leader does not know all the room of the link, because the link is not short or has become
// so in this cycle.
func (l *lane) mustKnow(now Cycle) {
	if l.led && (!l.short || l.shortAt == now) {
		panic(fmt.Sprintf("wire: %s puts %d messages in a cycle, or asks for more room, on a link to a follower",
			l.out.name, aheadRoom))
	}
}

// listShort lists the link among the leader's short ones, in its cycle now.
func (l *lane) listShort(now Cycle) {
	p := l.out.dom.part
	l.short, l.shortAt = true, now
	p.short = append(p.short, l)
}
