package measure

import (
	"strings"

	"kumiko/components/arbiter"
	"kumiko/components/crossbar"
	"kumiko/components/wire"
	"kumiko/gpus/config"
	"kumiko/gpus/result"
	"kumiko/regfile"
)

// Blocks lists the register banks and operand crossbars, SM by SM, with their activity over all launches so far.
func (m *Meter) Blocks() result.Blocks {
	out := result.Blocks{Banks: []result.Bank{}, Crossbars: []result.Crossbar{}}
	cycles := m.busy
	counts := m.byInstance()
	for i, s := range m.chip.SMs {
		for _, c := range s.Residency.Domain().Components() {
			switch x := c.(type) {
			case *arbiter.Banks:
				for b := range x.Out {
					out.Banks = append(out.Banks, bankOf(i, x.Out[b].Source(), counts, cycles))
				}
			case banked:
				for _, name := range x.BankNames() {
					out.Banks = append(out.Banks, bankWithin(i, name, counts, cycles))
				}
			case *crossbar.Crossbar:
				out.Crossbars = append(out.Crossbars, crossbarOf(i, x.Name(), counts, cycles))
			case *crossbar.Router:
				out.Crossbars = append(out.Crossbars, crossbarOf(i, x.Name(), counts, cycles))
			}
		}
	}
	return out
}

// banked is a component with internal banks. Its statistics are counted under the names of the banks.
type banked interface{ BankNames() []string }

// bankWithin returns the result of one bank, whose counters are those of the component name. All conflict cycles of the
// bank count as read conflicts.
func bankWithin(sm int, name string, counts map[string]map[string]uint64, cycles uint64) result.Bank {
	b := result.Bank{SM: sm, Name: name}
	countBank(&b, counts[name])
	for stat, n := range counts[name] {
		if strings.HasSuffix(stat, ".conflicts") {
			b.ReadConflicts += n
		}
	}
	if cycles > 0 {
		b.Queued = float64(b.ReadConflicts) / float64(cycles)
	}
	return b
}

// countBank sums a bank's accesses over all causes.
func countBank(b *result.Bank, counts map[string]uint64) {
	for stat, n := range counts {
		switch {
		case strings.HasPrefix(stat, "regfile.bank.reads."):
			b.Reads += n
		case strings.HasPrefix(stat, "regfile.bank.writes."):
			b.Writes += n
		}
	}
}

// bankOf returns the result of the bank behind an output of an arbiter. The conflict cycles are the summed
// waiting times of requests in the bank's queue. Divided by the cycles they give the mean queue length
// (Little's law).
func bankOf(sm int, to *wire.Source, counts map[string]map[string]uint64, cycles uint64) result.Bank {
	b := result.Bank{SM: sm, Name: to.Name()}
	if in, _ := to.Peer(); in != nil {
		b.Name = in.Component().Name()
	}
	countBank(&b, counts[b.Name])
	b.ReadConflicts = counts[to.Name()]["regfile.arbiter.read_conflicts"]
	b.WriteConflicts = counts[to.Name()]["regfile.arbiter.write_conflicts"]
	if cycles > 0 {
		b.Queued = float64(b.ReadConflicts+b.WriteConflicts) / float64(cycles)
	}
	return b
}

// crossbarOf returns the result of an operand crossbar or of a router in a butterfly network. A router is a
// crossbar with some outputs connected to other routers.
func crossbarOf(sm int, name string, counts map[string]map[string]uint64, cycles uint64) result.Crossbar {
	n := counts[name]
	x := result.Crossbar{SM: sm, Name: name, Transfers: n["regfile.crossbar.transfers"],
		Hops: n["regfile.network.hops"], Conflicts: n["regfile.crossbar.conflicts"]}
	if cycles > 0 {
		x.Queued = float64(x.Conflicts) / float64(cycles)
	}
	return x
}

// byInstance returns the statistics of the register file's blocks, grouped by block.
func (m *Meter) byInstance() map[string]map[string]uint64 {
	out := map[string]map[string]uint64{}
	for _, s := range m.chip.Stats.Stats() {
		if !strings.HasPrefix(s.Name, "regfile.") {
			continue
		}
		s.Instances(func(instance string, value uint64) {
			if out[instance] == nil {
				out[instance] = map[string]uint64{}
			}
			out[instance][s.Name] += value
		})
	}
	return out
}

// Ran provides the content of a result: a machine after its run.
type Ran interface {
	Results() []result.Kernel
	Blocks() result.Blocks
	Storage() []regfile.State
}

// NewResult returns the result of a machine's run, without the program, the comparisons and the totals.
func NewResult(c *config.Config, m Ran) *result.Result {
	return &result.Result{GPU: c.Name, Design: c.Design, Meant: c.Meant, ConfigHash: c.Hash(), Config: c.Values(),
		Kernels: m.Results(), Blocks: m.Blocks(), Storage: m.Storage()}
}

// Storage returns the storage of the blocks of one SM: the register file's, if its design reports them, and the
// CTA-switching block's. All SMs are equal.
func (m *Meter) Storage() (all []regfile.State) {
	if s, ok := regfile.As[regfile.Sizer](m.chip.SMs[0].Regfile); ok {
		all = s.State()
	}
	return append(all, m.chip.SMs[0].SwitchState()...)
}
