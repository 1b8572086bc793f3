package shared

import (
	"cmp"

	"kumiko/components/cause"
	"kumiko/components/spec"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/memsys/passes"
	"kumiko/memsys/req"
)

// Spec is the geometry and timing of shared memory.
type Spec struct {
	Banks   int `toml:"banks" unit:"banks" doc:"banks, a power of two up to 32"`
	Word    int `toml:"bank_bytes" unit:"bytes" doc:"width of a bank: 4, or 8, to which compute capability 3.x can be set"`
	Latency int `toml:"latency" unit:"cycles" doc:"from the arrival of a conflict-free access at the access unit to its reply"`
	Atomic  int `toml:"atomic_pass_cycles" unit:"cycles" range:"1 to 65536" doc:"cycles of one pass of an atomic, which reads and then writes the bank"`
	Queue   int `toml:"queue" unit:"instructions" range:"1 to 65536" doc:"instructions that may wait in front of the banks"`
}

// Check returns an error for settings outside their ranges.
func (s *Spec) Check() error {
	switch {
	case s.Banks < 1 || s.Banks > 32 || s.Banks&(s.Banks-1) != 0:
		return spec.Errorf("banks", s.Banks, "a power of two up to 32")
	case s.Word != 4 && s.Word != 8:
		return spec.Errorf("bank_bytes", s.Word, "4 or 8")
	}
	return cmp.Or(spec.Ranges(s), spec.InRange("latency", s.Latency, passes.Overhead+1, spec.MostCycles))
}

// Memory is the shared memory of an SM.
type Memory struct {
	passes.Server
	spec  Spec
	tally tally `soft:"of the instruction that is counted, within a cycle"`

	instructions, taken, conflicted, atomicPasses uint64
	contextPasses                                 uint64
	predicates                                    []uint32 `bits:"32"` // by warp context: kept for who has no slot
}

// New builds a shared memory.
func New(name string, d *wire.Domain, s Spec, r *stats.Registry) (*Memory, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	m := &Memory{spec: s}
	m.Setup(name, d, m, s.Latency, s.Queue, m.count)
	m.Holds(cause.Shared)
	r.Count("mem.shared.instructions", stats.Instructions, "warp instructions that accessed shared memory", name,
		&m.instructions)
	r.Count("mem.shared.passes", stats.Cycles, "cycles in which the banks served a pass", name, &m.taken)
	r.Count("mem.shared.conflict_passes", stats.Cycles,
		"passes beyond those that the instruction takes without conflict: bank conflicts, and atomics of several "+
			"lanes on one word", name, &m.conflicted)
	r.Count("mem.shared.atomic_passes", stats.Cycles, "passes of atomic instructions", name, &m.atomicPasses)
	return m, nil
}

// contextQueue is the number of contexts waiting in front of the banks, including the ones on the link:
// enough for one per cycle.
const contextQueue = 4

// AddContexts lets contexts of warps, numbered below n, use the banks, and
// returns the ports for them. r counts their passes.
func (m *Memory) AddContexts(n int, r *stats.Registry) (*wire.InPort[req.WarpContext], *wire.OutPort[req.WarpContext]) {
	m.predicates = make([]uint32, n)
	r.Count("mem.shared.context_passes", stats.Cycles,
		"cycles in which the banks served the context of a warp whose CTA is switched", m.Name(), &m.contextPasses)
	row := m.spec.Banks * m.spec.Word
	return m.Server.AddContexts(contextQueue, func(c *req.WarpContext) int {
		if c.Out {
			m.predicates[c.Warp] = c.Predicates
		} else {
			c.Predicates = m.predicates[c.Warp]
		}
		n := max(1, (int(c.Bytes)+row-1)/row)
		m.contextPasses += uint64(n)
		return n
	})
}

// count returns and counts the passes of an instruction.
func (m *Memory) count(p *req.Part) int {
	turns := atomic(p.Inst)
	n, least := m.tally.passesOf(p, m.spec.Banks, m.spec.Word, turns)
	if turns {
		n, least = n*m.spec.Atomic, least*m.spec.Atomic
		m.atomicPasses += uint64(n)
	}
	m.instructions++
	m.taken += uint64(n)
	m.conflicted += uint64(n - least)
	return n
}
