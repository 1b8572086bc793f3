package diff

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"kumiko/gpus/result"
)

// run is a result and its file.
type run struct {
	name string
	*result.Result
}

// A change is a value of both runs.
type change struct {
	name string
	a, b float64
}

// ratio returns the relative change; infinite if only b has a value.
func (c *change) ratio() float64 {
	switch {
	case c.a == c.b:
		return 0
	case c.a == 0:
		return math.Inf(1)
	}
	return c.b/c.a - 1
}

// setting is a parameter with different values.
type setting struct{ key, a, b string }

// A difference compares two runs.
type difference struct {
	a, b     run
	settings []setting
	notes    []string
	main     []change // cycles, IPC, instructions, and energy
	slots    []change // issue slots per warp instruction, by reason
	kernels  []change // cycles of all launches of a kernel
	banks    []change // counts of the register banks and crossbars, per thousand warp instructions
	busiest  []change // conflicts of single banks, per thousand warp instructions
	energy   []change // by block, in nanojoules
	waits    []table  // of operands, if both runs have a profile
	stats    []change // statistics
	more     int      // statistics beyond those listed
	top      int      // most rows of a table
}

// compare compares two runs. Tables have at most top rows.
func compare(a, b run, top int) *difference {
	d := &difference{a: a, b: b, top: top, settings: settings(a.Config, b.Config)}
	d.notes = notes(&a, &b)
	d.main = []change{
		{"cycles", float64(a.Total.Cycles), float64(b.Total.Cycles)},
		{"IPC", a.Total.IPC, b.Total.IPC},
		{"warp instructions", float64(a.Total.WarpInstructions), float64(b.Total.WarpInstructions)},
		{"thread instructions", float64(a.Total.ThreadInstructions), float64(b.Total.ThreadInstructions)},
		{"most CTAs on an SM", float64(a.Total.CTAsResidentMax), float64(b.Total.CTAsResidentMax)},
	}
	if a.Energy != nil && b.Energy != nil {
		d.main = append(d.main, change{"energy, nJ", a.Energy.PJ / 1000, b.Energy.PJ / 1000})
		d.energy = first(bySize(energies(a.Energy, b.Energy)), top)
	}
	d.slots = bySize(pairs(perInstruction(&a), perInstruction(&b)))
	d.kernels = first(bySize(pairs(kernelCycles(a.Kernels), kernelCycles(b.Kernels))), top)
	d.banks = bankTotals(&a, &b)
	d.busiest = first(bySize(pairs(bankConflicts(&a), bankConflicts(&b))), top)
	if a.Waits != nil && b.Waits != nil {
		d.waits = waitTables(a.Waits, b.Waits, top)
	}
	stats := statistics(&a, &b)
	d.stats = first(stats, top)
	d.more = len(stats) - len(d.stats)
	return d
}

// missing stands for the value of a parameter that a machine does not have.
const missing = "-"

// settings returns the parameters that differ.
func settings(a, b map[string]any) (out []setting) {
	keys := maps.Clone(a)
	maps.Copy(keys, b)
	text := func(m map[string]any, key string) string {
		v, ok := m[key]
		if !ok {
			return missing
		}
		return fmt.Sprint(v)
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if x, y := text(a, key), text(b, key); x != y {
			out = append(out, setting{key, x, y})
		}
	}
	return out
}

// notes says where the runs cannot be compared as they are.
func notes(a, b *run) (out []string) {
	say := func(differs bool, text string) {
		if differs {
			out = append(out, text)
		}
	}
	say(a.Program != b.Program, "the programs differ: counts are those of "+a.Program+" and "+b.Program)
	say(a.Program == b.Program && a.ProgramHash != b.ProgramHash,
		"the programs have one name but differ in their files, size or input")
	say(a.Version != b.Version, "the results were made by different versions, "+a.Version+" and "+b.Version)
	both := a.Waits != nil && b.Waits != nil
	say(both && !sameCode(a.Waits, b.Waits), otherCode)
	charged := a.Energy != nil && b.Energy != nil
	for _, r := range []*run{a, b} {
		say(!charged && r.Energy != nil, "only "+r.name+" has energies: run the other with --energy, too")
		say(!both && r.Waits != nil, "only "+r.name+" has operand waits: run the other with --profile FILE, too")
		say(!r.Complete, r.name+" is incomplete: the run was cut short")
		if s := r.Sampling(); s != nil {
			out = append(out, fmt.Sprintf("%s is sampled: its cycles are an estimate, plus or minus %.0f", r.name,
				s.CyclesHalf))
		}
	}
	return out
}

// pairs returns the names of both maps with their values, unless both are 0.
func pairs(a, b map[string]float64) (out []change) {
	keys := maps.Clone(a)
	maps.Copy(keys, b)
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		if a[name] != 0 || b[name] != 0 {
			out = append(out, change{name, a[name], b[name]})
		}
	}
	return out
}

// bySize sorts changes of one unit, the largest first, and drops values that are equal. Changes of equal size keep
// their order.
func bySize(list []change) []change {
	list = slices.DeleteFunc(list, func(c change) bool { return c.a == c.b })
	slices.SortStableFunc(list, func(x, y change) int { return cmp.Compare(math.Abs(y.b-y.a), math.Abs(x.b-x.a)) })
	return list
}

func first(list []change, n int) []change { return list[:min(n, len(list))] }

// perInstruction returns the issue slots per warp instruction, by reason.
func perInstruction(r *run) map[string]float64 {
	out := map[string]float64{}
	for reason, n := range r.Total.IssueSlots {
		out[reason] = float64(n) / float64(max(r.Total.WarpInstructions, 1))
	}
	return out
}

func kernelCycles(list []result.Kernel) map[string]float64 {
	out := map[string]float64{}
	for i := range list {
		out[list[i].Name] += float64(list[i].Cycles)
	}
	return out
}

// perThousand scales a count by the run's warp instructions.
func perThousand(r *run, n uint64) float64 {
	return 1000 * float64(n) / float64(max(r.Total.WarpInstructions, 1))
}

func bankTotals(a, b *run) (out []change) {
	for _, x := range []struct {
		name  string
		count func(*result.Bank) uint64
	}{
		{"reads", func(x *result.Bank) uint64 { return x.Reads }},
		{"writes", func(x *result.Bank) uint64 { return x.Writes }},
		{"read conflicts", func(x *result.Bank) uint64 { return x.ReadConflicts }},
		{"write conflicts", func(x *result.Bank) uint64 { return x.WriteConflicts }},
	} {
		var n [2]float64
		for i, r := range []*run{a, b} {
			for k := range r.Blocks.Banks {
				n[i] += perThousand(r, x.count(&r.Blocks.Banks[k]))
			}
		}
		if n != [2]float64{} {
			out = append(out, change{x.name, n[0], n[1]})
		}
	}
	var n [2]float64
	for i, r := range []*run{a, b} {
		for k := range r.Blocks.Crossbars {
			n[i] += perThousand(r, r.Blocks.Crossbars[k].Conflicts)
		}
	}
	if n != [2]float64{} {
		out = append(out, change{"crossbar conflicts", n[0], n[1]})
	}
	return out
}

// bankConflicts returns the conflicts of banks per thousand warp instructions.
func bankConflicts(r *run) map[string]float64 {
	out := map[string]float64{}
	for name, n := range r.Blocks.ConflictsOfBanks() {
		out[name] = perThousand(r, n)
	}
	return out
}

func energies(a, b *result.Energy) []change {
	block := func(e *result.Energy) map[string]float64 {
		out := map[string]float64{}
		for _, x := range e.Blocks {
			out[x.Block] = x.PJ / 1000
		}
		return out
	}
	return pairs(block(a), block(b))
}

// statistics returns the statistics with different values, by the size of their relative changes. Those that only one
// run has follow.
func statistics(a, b *run) (out []change) {
	keys := maps.Clone(a.Total.Stats)
	maps.Copy(keys, b.Total.Stats)
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		x, y := a.Total.Stats[name], b.Total.Stats[name]
		if x != y && max(perThousand(a, x), perThousand(b, y)) >= 1 {
			out = append(out, change{name, float64(x), float64(y)})
		}
	}
	size := func(c *change) float64 {
		if c.a == 0 || c.b == 0 {
			return 0
		}
		return math.Abs(math.Log(c.b / c.a))
	}
	slices.SortStableFunc(out, func(x, y change) int { return cmp.Compare(size(&y), size(&x)) })
	return out
}
