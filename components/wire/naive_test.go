package wire_test

// The naive model ticks every node at every edge of its clock and derives a node's view from lists of all past puts
// and pops. It has no wakes, no rings, no windows and no credits to lose.

// naive is a network on the naive model. Times are multiples of 1/unit s.
type naive struct {
	spec  *netSpec
	unit  uint64 // a common multiple of all frequencies
	now   uint64
	nodes []*router
	puts  [][]arrival // by link
	pops  [][]uint64  // by link: when
}

type arrival struct {
	at uint64
	t  token
}

func newNaive(s *netSpec) *naive {
	m := &naive{spec: s, unit: 1, puts: make([][]arrival, len(s.links)), pops: make([][]uint64, len(s.links))}
	for _, hz := range s.hz {
		m.unit = m.unit / gcd(m.unit, hz) * hz
	}
	for i, ns := range s.nodes {
		ins, outs := s.ends(i)
		m.nodes = append(m.nodes, &router{spec: ns, index: i, ins: ins, outs: outs})
	}
	return m
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func (m *naive) period(node int) uint64 { return m.unit / m.spec.hz[m.spec.nodes[node].domain] }

// delay returns the time taken by a message over a link.
func (m *naive) delay(link int) uint64 {
	l := m.spec.links[link]
	return uint64(l.latency) * m.period(l.from)
}

// delayOfRoom returns the time until freed space becomes visible to the sender.
func (m *naive) delayOfRoom(link int) uint64 {
	l := m.spec.links[link]
	from, to := m.spec.nodes[l.from].domain, m.spec.nodes[l.to].domain
	if from == to || m.spec.near(from, to) {
		return m.period(l.from)
	}
	return m.delay(link)
}

func (m *naive) head(link int) *token {
	if k := len(m.pops[link]); k < len(m.puts[link]) && m.puts[link][k].at <= m.now {
		return &m.puts[link][k].t
	}
	return nil
}

func (m *naive) pop(link int) { m.pops[link] = append(m.pops[link], m.now) }

func (m *naive) canPut(link int) bool {
	seen := 0
	for _, t := range m.pops[link] {
		if t+m.delayOfRoom(link) <= m.now {
			seen++
		}
	}
	return len(m.puts[link])-seen < m.spec.links[link].capacity
}

func (m *naive) put(link int, t token) {
	m.puts[link] = append(m.puts[link], arrival{m.now + m.delay(link), t})
}

// run runs to the given cycle of domain 0 and returns the logs.
func (m *naive) run(limit uint64) [][]take {
	end := limit * (m.unit / m.spec.hz[0])
	for m.now = 1; m.now <= end; m.now++ {
		for i, r := range m.nodes {
			if m.now%m.period(i) == 0 {
				r.tick(m.now/m.period(i), m)
			}
		}
	}
	return logs(len(m.nodes), func(i int) *router { return m.nodes[i] })
}
