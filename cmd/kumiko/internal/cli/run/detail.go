package run

import (
	"fmt"
	"slices"
	"strings"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus/result"
)

// operandLatency is the statistic with a printed distribution.
const operandLatency = "regfile.collector.operand_latency"

// detailText prints the use of cycles: the CPI stacks, the states of warps, the register banks and crossbars, the
// load/store unit and shared memory, and operand latencies.
func detailText(a *app.App, r *result.Result) error {
	for _, part := range []func(*result.Result, *app.Table){cpiStacks, warpStates, bankTable, crossbarTable,
		memoryTable, latencyTable} {
		t := app.NewTable(a.Stdout)
		part(r, t)
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// cpiStacks prints the issue slots per warp instruction by reason: of each kernel, of the whole run, and of each SM
// over all launches.
func cpiStacks(r *result.Result, t *app.Table) {
	reasons := occurring(r.Total.IssueSlots, result.Issued)
	t.Row("\nCPI stack: issue slots per warp instruction, of all SMs together and of each")
	t.Row(cells("", "IPC", "steady IPC", "slots/instr.", reasons)...)
	line := func(name, ipc, steady string, slots map[string]uint64, n uint64) {
		row := []any{name, ipc, steady, perInstruction(sumOf(slots), n)}
		for _, reason := range reasons {
			row = append(row, perInstruction(slots[reason], n))
		}
		t.Row(row...)
	}
	kernels := repeated(r.Kernels)
	for _, k := range kernels {
		line(k.label, fmt.Sprintf("%.2f", k.IPC), k.steady(), k.IssueSlots, k.WarpInstructions)
	}
	if len(kernels) > 1 {
		line("total", fmt.Sprintf("%.2f", r.Total.IPC), "", r.Total.IssueSlots, r.Total.WarpInstructions)
	}
	for _, s := range perSM(r.Kernels) {
		line(fmt.Sprintf("SM %d", s.SM), ratio(s.ThreadInstructions, r.Total.Cycles, "%.2f"), "", s.IssueSlots,
			s.WarpInstructions)
	}
}

// steady returns the IPC between the first full residency of the SMs and their drain, for a kernel launched once.
func (g *group) steady() string {
	if g.launches != 1 || g.IPCSteady == nil {
		return "-"
	}
	return fmt.Sprintf("%.2f", *g.IPCSteady)
}

// perSM sums the counts of each SM over the launches.
func perSM(kernels []result.Kernel) []result.SM {
	var out []result.SM
	for i := range kernels {
		for _, s := range kernels[i].SMs {
			j := slices.IndexFunc(out, func(x result.SM) bool { return x.SM == s.SM })
			if j < 0 {
				j = len(out)
				out = append(out, result.SM{SM: s.SM, IssueSlots: map[string]uint64{}})
			}
			out[j].WarpInstructions += s.WarpInstructions
			out[j].ThreadInstructions += s.ThreadInstructions
			for reason, n := range s.IssueSlots {
				out[j].IssueSlots[reason] += n
			}
		}
	}
	return out
}

// warpStates prints the shares of the resident warps' time in each state.
func warpStates(r *result.Result, t *app.Table) {
	states := occurring(r.Total.WarpStates, "ready")
	t.Row("\nwhat the resident warps did: share of warp-cycles")
	t.Row(cells("", "warps, mean", states)...)
	for _, k := range repeated(r.Kernels) {
		total := sumOf(k.WarpStates)
		row := []any{k.label, ratio(total, k.Cycles, "%.1f")}
		for _, s := range states {
			row = append(row, app.Percent(k.WarpStates[s], total))
		}
		t.Row(row...)
	}
}

// bankTable prints each bank of the SM, summed over all SMs.
func bankTable(r *result.Result, t *app.Table) {
	if len(r.Blocks.Banks) == 0 {
		return
	}
	byName := func(a, b result.Bank) bool { return inRegFile(a.Name) == inRegFile(b.Name) }
	banks, sms := merge(r.Blocks.Banks, byName, func(a *result.Bank, b result.Bank) {
		a.Reads, a.Writes = a.Reads+b.Reads, a.Writes+b.Writes
		a.ReadConflicts, a.WriteConflicts, a.Queued = a.ReadConflicts+b.ReadConflicts, a.WriteConflicts+
			b.WriteConflicts, a.Queued+b.Queued
	})
	t.Row(fmt.Sprintf("\nregister banks, %d SMs added up; waiting: requests in the bank's queue, mean of an SM", sms))
	t.Row("bank", "reads", "writes", "conflict cycles of reads", "of writes", "per access", "waiting")
	for _, b := range banks {
		t.Row(inRegFile(b.Name), b.Reads, b.Writes, b.ReadConflicts, b.WriteConflicts,
			ratio(b.ReadConflicts+b.WriteConflicts, b.Reads+b.Writes, "%.3f"),
			fmt.Sprintf("%.3f", b.Queued/float64(sms)))
	}
	if s := spread(r.Config); s != "" {
		t.Row("\n" + s)
	}
}

// spread returns a line about the banks in which one register lies over all warps of a scheduler, if these are not all
// banks. It returns "" if they are, or if the register file's bank does not depend on the warp.
func spread(config map[string]any) string {
	if config["regfile.conventional.bank_index"] != "register+warp" {
		return ""
	}
	schedulers, banks := count(config["sm.schedulers"]), count(config["regfile.conventional.banks"])
	cores := count(config["regfile.conventional.sub_cores"])
	if cores == 0 {
		cores = schedulers
	}
	if schedulers == 0 || cores != schedulers {
		return "" // a sub-core for all schedulers has the warps of all
	}
	banks /= cores * max(128/max(count(config["regfile.conventional.bank_width"]), 1), 1) // that work in step
	seen := map[int]bool{}
	for w := range banks {
		seen[w*schedulers%banks] = true
	}
	in := len(seen)
	if in == banks {
		return ""
	}
	return fmt.Sprintf("One register of a scheduler's warps lies in %d of its %d banks: bank_index=register+slot "+
		"takes all (docs/registers-conflict.md).", in, banks)
}

// count returns a parameter that is a whole number; 0: it is none.
func count(v any) int {
	n, _ := v.(int64)
	if m, ok := v.(int); ok {
		return m
	}
	return int(n)
}

// crossbarTable prints each crossbar or router of the SM, summed over all SMs.
func crossbarTable(r *result.Result, t *app.Table) {
	if len(r.Blocks.Crossbars) == 0 {
		return
	}
	byName := func(a, b result.Crossbar) bool { return inRegFile(a.Name) == inRegFile(b.Name) }
	bars, sms := merge(r.Blocks.Crossbars, byName, func(a *result.Crossbar, b result.Crossbar) {
		a.Transfers, a.Hops, a.Conflicts, a.Queued = a.Transfers+b.Transfers, a.Hops+b.Hops, a.Conflicts+b.Conflicts,
			a.Queued+b.Queued
	})
	t.Row(fmt.Sprintf("\ncrossbars, %d SMs added up; waiting: values at the heads of inputs, mean of an SM", sms))
	t.Row("crossbar", "values to collectors", "to other routers", "conflict cycles", "per value", "waiting")
	for _, x := range bars {
		t.Row(inRegFile(x.Name), x.Transfers, x.Hops, x.Conflicts, ratio(x.Conflicts, x.Transfers+x.Hops, "%.3f"),
			fmt.Sprintf("%.3f", x.Queued/float64(sms)))
	}
}

// memoryTable prints the load/store unit and shared memory, summed over all SMs.
func memoryTable(r *result.Result, t *app.Table) {
	s := r.Total.Stats
	sms := uint64(len(perSM(r.Kernels)))
	if s["sm.lsu.operations"] == 0 || sms == 0 {
		return
	}
	t.Row(fmt.Sprintf("\nmemory instructions, %d SMs added up; busy: share of the cycles of an SM, mean", sms))
	t.Row("block", "instructions", "busy", "per instruction")
	t.Row("load/store unit", s["sm.lsu.operations"], app.Percent(s["sm.lsu.busy"], sms*r.Total.Cycles),
		ratio(s["sm.lsu.load_latency"], s["sm.lsu.loads"], "%.1f cycles to the data, of loads"))
	if n := s["mem.shared.instructions"]; n > 0 {
		t.Row("shared memory", n, app.Percent(s["mem.shared.passes"], sms*r.Total.Cycles),
			ratio(s["mem.shared.passes"], n, "%.2f passes")+
				ratio(s["mem.shared.conflict_passes"], n, ", %.2f by conflicts"))
	}
}

// merge sums the similar blocks, in the order of first occurrence. each is the number of blocks similar to the
// first.
func merge[T any](blocks []T, similar func(a, b T) bool, add func(*T, T)) (out []T, each int) {
	for i, b := range blocks {
		j := slices.IndexFunc(out, func(x T) bool { return similar(x, b) })
		switch {
		case j < 0:
			out = append(out, b)
		default:
			add(&out[j], b)
		}
		if i == 0 || j == 0 {
			each++
		}
	}
	return out, each
}

// latencyTable prints the distribution of the operand latency.
func latencyTable(r *result.Result, t *app.Table) {
	list := r.Total.Distributions[operandLatency]
	var n, below uint64
	for _, b := range list {
		n += b.Count
	}
	if n == 0 {
		return
	}
	t.Row(fmt.Sprintf("\noperand latency: cycles from the allocation of a collector to its last operand; %d "+
		"instructions, mean %s",
		n, ratio(r.Total.Stats[operandLatency], n, "%.2f")))
	t.Row("cycles", "instructions", "share", "this or less", "")
	for _, b := range list {
		below += b.Count
		t.Row(b.String(), b.Count, app.Percent(b.Count, n), app.Percent(below, n),
			strings.Repeat("#", int((40*b.Count+n/2)/n)))
	}
}

// inRegFile returns a block's name within the register file of its SM.
func inRegFile(name string) string {
	if _, rest, ok := strings.Cut(name, ".RegFile."); ok {
		return rest
	}
	return name
}

// occurring returns the keys with nonzero counts, first before all others.
func occurring(counts map[string]uint64, first string) []string {
	out := []string{first}
	for _, k := range app.SortedKeys(counts) {
		if k != first && counts[k] > 0 {
			out = append(out, k)
		}
	}
	return out
}

// cells concatenates names and lists of names into one row.
func cells(parts ...any) (out []any) {
	for _, p := range parts {
		if list, ok := p.([]string); ok {
			for _, s := range list {
				out = append(out, s)
			}
			continue
		}
		out = append(out, p)
	}
	return out
}

func sumOf(counts map[string]uint64) (n uint64) {
	for _, v := range counts {
		n += v
	}
	return n
}

func perInstruction(slots, instructions uint64) string { return ratio(slots, instructions, "%.3f") }

func ratio(n, of uint64, format string) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf(format, float64(n)/float64(of))
}
