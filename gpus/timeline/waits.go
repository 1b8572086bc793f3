package timeline

import (
	"cmp"
	"maps"
	"slices"

	"kumiko/gpus/result"
)

// pair is a register that waited for a bank, and the register whose access held it.
type pair struct{ waiting, holding string }

// Waits returns the profile in short, as results of runs have it.
func (p *ProfileReport) Waits() *result.Waits {
	w := &result.Waits{SM: p.SM, From: p.From, To: p.To, Instructions: []result.InstructionWaits{},
		Registers: []result.RegisterWaits{}}
	cycles := map[pair]uint64{}
	for i := range p.Instructions {
		x := &p.Instructions[i]
		w.Instructions = append(w.Instructions, result.InstructionWaits{Kernel: x.Kernel, PC: x.PC, Text: x.Text,
			Issues: x.Issues, Bank: x.BankWait, Write: x.WriteWait, Crossbar: x.CrossbarWait})
		for _, h := range x.Holders {
			if h.Waiting != "" && h.Register != "" {
				cycles[pair{h.Waiting, h.Register}] += h.Cycles
			}
		}
	}
	order := slices.SortedFunc(maps.Keys(cycles), func(a, b pair) int {
		return cmp.Or(cmp.Compare(cycles[b], cycles[a]), cmp.Compare(a.waiting, b.waiting),
			cmp.Compare(a.holding, b.holding))
	})
	for _, k := range order {
		w.Registers = append(w.Registers,
			result.RegisterWaits{Waiting: k.waiting, Holding: k.holding, Cycles: cycles[k]})
	}
	return w
}
