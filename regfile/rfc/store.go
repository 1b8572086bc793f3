package rfc

import (
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

// key identifies a register of a warp; 0 is no register.
type key uint32

const present key = 1 << 31

func keyOf(warp uint16, r ir.RegID) key { return present | key(warp)<<8 | key(r) }

func (k key) warp() uint16  { return uint16(k >> 8) }
func (k key) reg() ir.RegID { return ir.RegID(k) }

// flag is a property of an entry.
type flag uint8

const (
	dirty flag = 1 << iota // the main file has older values
	dead                   // no lane needs it any more
	far                    // read next, if at all, after the next first use of a long-latency result
)

// store is the entries of a cache, in groups: a group is a partition or a set. An entry is identified by its
// number. The entries of a group are consecutive.
type store struct {
	ways    int
	key     []key    `row:"Cache: tags"`
	valid   []uint32 `row:"Cache: lane masks"` // present lanes
	filling []uint32 `row:"Cache: lane masks"` // lanes on their way from the main file
	flags   []flag   `row:"Cache: dirty, dead and far bits"`
	stamp   []uint64 `row:"Cache: replacement"` // order of age; the smallest of a group is the oldest
	content []version.Content
	clock   uint64
	lru     bool
	first   [2]flag `soft:"constants"` // flags of entries to be evicted first, in this order; 0: none
}

func newStore(groups, ways int, s *Spec, check bool) store {
	n := groups * ways
	st := store{ways: ways, key: make([]key, n), valid: make([]uint32, n), filling: make([]uint32, n),
		flags: make([]flag, n),
		stamp: make([]uint64, n), lru: s.Replacement == LRU}
	if check {
		st.content = make([]version.Content, n)
	}
	if s.EvictDead {
		st.first[0] = dead
	}
	if s.EvictFar {
		st.first[1] = far
	}
	return st
}

// find returns the entry of a register in a group, or -1.
func (s *store) find(group int, k key) int {
	from := group * s.ways
	for i, e := range s.key[from : from+s.ways] {
		if e == k {
			return from + i
		}
	}
	return -1
}

// victim returns the entry of a group for a new register: a free entry if there is one, otherwise the oldest of the
// entries to be evicted first.
func (s *store) victim(group int) int {
	from := group * s.ways
	best, rank := -1, 0
	for i := from; i < from+s.ways; i++ {
		if s.key[i] == 0 {
			return i
		}
		r := 0
		switch f := s.flags[i]; {
		case f&s.first[0] != 0:
			r = 2
		case f&s.first[1] != 0:
			r = 1
		}
		if best < 0 || r > rank || r == rank && s.stamp[i] < s.stamp[best] {
			best, rank = i, r
		}
	}
	return best
}

// claim allocates entry i to a register, without any of its lanes yet.
func (s *store) claim(i int, k key) {
	s.key[i], s.valid[i], s.filling[i], s.flags[i] = k, 0, 0, 0
	s.renew(i)
	if s.content != nil {
		s.content[i] = version.Content{}
	}
}

func (s *store) renew(i int) {
	s.clock++
	s.stamp[i] = s.clock
}

// touch records a read or write of entry i.
func (s *store) touch(i int) {
	if s.lru {
		s.renew(i)
	}
}

// put writes lanes of entry i.
func (s *store) put(i int, c version.Content) {
	s.valid[i] |= c.Lanes
	s.filling[i] &^= c.Lanes
	if s.content != nil {
		s.content[i] = s.content[i].Overlay(c)
	}
}

// lose invalidates lanes of entry i.
func (s *store) lose(i int, lanes uint32) {
	s.valid[i] &^= lanes
	s.filling[i] &^= lanes
	if s.content != nil {
		s.content[i] = s.content[i].Only(s.valid[i])
	}
	if s.valid[i]|s.filling[i] == 0 {
		s.free(i)
	}
}

// free empties entry i.
func (s *store) free(i int) { s.key[i] = 0 }

// owes reports whether entry i has a value missing in the main file and possibly needed by a lane.
func (s *store) owes(i int) bool { return s.flags[i]&(dirty|dead) == dirty }

// holds returns the value of entry i in the form of a message.
func (s *store) holds(i int) version.Content {
	if s.content != nil {
		return s.content[i]
	}
	return version.Content{Lanes: s.valid[i]}
}

// Alter changes the version content of an entry without an access. Tests inject faults with it. Checking must be
// on.
func (c *Cache) Alter(entry int, f func(version.Content) version.Content) {
	c.store.content[entry] = f(c.store.content[entry])
}

// nowhere marks a warp without a place.
const nowhere = -1

// places records which warps may have registers in the cache, and where: in a partition each or, with shared
// entries, anywhere.
type places struct {
	of     []int16 `bits:"1+log(of)"` // by warp: its partition; with shared entries 0; or nowhere
	own    []int16 `soft:"constants"` // by warp: its own partition, if every warp has one
	shared bool
	groups int
	free   []int16         `bits:"log(of)" room:"groups"` // partitions without a warp, the next to be assigned last
	away   regfile.WarpSet `bits:"of" room:"1"`           // warps whose registers are being written back
	queue  []uint16        `bits:"log(of)" room:"of"`     // active warps waiting for a partition, in order
}

// init prepares the places. roomy: there is a partition for every warp.
func (p *places) init(s *Spec, part *conventional.Part, groups int, roomy bool) {
	warps := part.Env.Warps
	p.shared, p.groups = s.Organisation == Shared, groups
	p.of, p.queue = make([]int16, warps), make([]uint16, 0, warps)
	for w := range p.of {
		p.of[w] = nowhere
	}
	if p.shared {
		return
	}
	if roomy {
		p.own = make([]int16, warps)
		n := int16(0)
		for w := range p.own {
			if s := w % part.Env.Schedulers; s >= part.First && s < part.First+part.Schedulers {
				p.own[w] = n
				n++
			}
		}
		return
	}
	for g := groups - 1; g >= 0; g-- {
		p.free = append(p.free, int16(g))
	}
}

// leaving reports whether a warp's registers are being written back.
func (p *places) leaving(warp uint16) bool { return p.away.Has(int(warp)) }

// permanent reports whether warps need not be active to have a place.
func (p *places) permanent() bool { return p.shared || p.own != nil }

// enter assigns a place to a warp. It returns false if the warp must wait for one.
func (p *places) enter(warp uint16) bool {
	switch {
	case p.shared:
		p.of[warp] = 0
	case p.own != nil:
		p.of[warp] = p.own[warp]
	case len(p.free) > 0:
		last := len(p.free) - 1
		p.of[warp] = p.free[last]
		p.free = p.free[:last]
	default:
		p.queue = append(p.queue, warp)
		return false
	}
	return true
}

// vacate frees a warp's place. If another warp waits for one, vacate passes the place to it and returns it.
func (p *places) vacate(warp uint16) (next uint16, ok bool) {
	at := p.of[warp]
	p.of[warp] = nowhere
	if p.permanent() {
		return 0, false
	}
	if len(p.queue) == 0 {
		p.free = append(p.free, at)
		return 0, false
	}
	next = p.queue[0]
	p.unqueue(0)
	p.of[next] = at
	return next, true
}

func (p *places) unqueue(i int) {
	p.queue = p.queue[:i+copy(p.queue[i:], p.queue[i+1:])]
}

// gate keeps a cache's active warps without a partition from issuing.
type gate struct {
	closed regfile.WarpSet
	signal wire.Signal[regfile.WarpSet]
}

func (g *gate) shut(warp uint16, closed bool) {
	if g == nil {
		return // no warp waits
	}
	if closed {
		g.closed.Add(int(warp))
	} else {
		g.closed.Remove(int(warp))
	}
	g.signal.Set(g.closed)
}
