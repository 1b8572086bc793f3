package shared

import (
	"cmp"
	"fmt"

	"kumiko/components/spec"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/memsys/req"
)

// Spec is the geometry and timing of shared memory.
type Spec struct {
	Banks   int `toml:"banks" unit:"banks" doc:"banks, a power of two up to 32"`
	Word    int `toml:"bank_bytes" unit:"bytes" doc:"bank width: 4, or 8 as compute capability 3.x can be set to"`
	Latency int `toml:"latency" unit:"cycles" doc:"from the arrival of a conflict-free access at the access unit to its reply"`
	Atomic  int `toml:"atomic_pass_cycles" unit:"cycles" doc:"what a pass of an atomic takes: it reads and then writes the bank"`
	Queue   int `toml:"queue" unit:"instructions" doc:"instructions waiting in front of the banks"`
}

// Overhead is the part of Latency that is spent outside the block: a link from
// the access unit and the reply.
const Overhead = 2

// Check refuses what cannot be built.
func (s *Spec) Check() error {
	switch {
	case s.Banks < 1 || s.Banks > 32 || s.Banks&(s.Banks-1) != 0:
		return spec.Errorf("banks", s.Banks, "a power of two up to 32")
	case s.Word != 4 && s.Word != 8:
		return spec.Errorf("bank_bytes", s.Word, "4 or 8")
	}
	return cmp.Or(
		spec.InRange("latency", s.Latency, Overhead+1, spec.MostCycles),
		spec.InRange("atomic_pass_cycles", s.Atomic, 1, spec.MostCycles),
		spec.InRange("queue", s.Queue, 1, spec.MostQueue),
	)
}

// Memory is the shared memory of an SM.
type Memory struct {
	wire.Comp
	In  wire.InPort[req.Part]
	Out wire.OutPort[req.Done]

	spec  Spec
	until wire.Cycle // cycle of the last pass of the current instruction
	done  req.Done
	busy  bool

	instructions, passes, conflicted, atomicPasses uint64
}

// New builds a shared memory.
func New(name string, d *wire.Domain, s Spec, r *stats.Registry) (*Memory, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	m := &Memory{spec: s}
	m.Init(name, d, m)
	m.In.Init(&m.Comp, "In", s.Queue)
	m.Out.Init(&m.Comp, "Out")
	r.Count("mem.shared.instructions", stats.Instructions, "warp instructions that accessed shared memory", name, &m.instructions)
	r.Count("mem.shared.passes", stats.Cycles, "cycles in which the banks served a pass", name, &m.passes)
	r.Count("mem.shared.conflict_passes", stats.Cycles, "passes beyond the first of each instruction: bank conflicts", name, &m.conflicted)
	r.Count("mem.shared.atomic_passes", stats.Cycles, "passes of atomic instructions", name, &m.atomicPasses)
	return m, nil
}

// Pipeline is the depth of the pipeline behind the banks, in cycles: the
// latency of the link of Out.
func (m *Memory) Pipeline() int { return m.spec.Latency - Overhead }

// Tick ends the last pass of an instruction and begins the first of the next.
func (m *Memory) Tick(now wire.Cycle) bool {
	if !m.busy && !m.begin(now) {
		return false
	}
	if now < m.until {
		m.WakeAt(m.until)
		return false
	}
	if !m.Out.CanPut() {
		return false
	}
	m.Out.Put(m.done)
	m.busy = false
	return m.In.Head() != nil
}

// begin counts the passes of the next instruction; the first is in this cycle.
func (m *Memory) begin(now wire.Cycle) bool {
	p := m.In.Head()
	if p == nil {
		return false
	}
	m.In.Pop()
	atomic := p.Inst.Op == ir.OpAtom || p.Inst.Op == ir.OpRed
	n := Passes(p, m.spec.Banks, m.spec.Word, atomic)
	if atomic {
		n *= m.spec.Atomic
		m.atomicPasses += uint64(n)
	}
	m.instructions++
	m.passes += uint64(n)
	m.conflicted += uint64(n - 1)
	m.busy, m.until = true, now+wire.Cycle(n-1)
	m.done = req.Done{Slot: p.Slot, Index: p.Index, Of: 1}
	return true
}

// Waiting says how long the banks are busy.
func (m *Memory) Waiting() string {
	if !m.busy && m.In.Len() == 0 {
		return ""
	}
	return fmt.Sprintf("passes until cycle %d, %d instructions behind", m.until, m.In.Len())
}
