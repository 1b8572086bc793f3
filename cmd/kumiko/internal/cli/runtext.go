package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kumiko/gpus/result"
)

// runText prints a result as text.
func (a *App) runText(r *result.Result, sample *sampleFlags) error {
	fmt.Fprintf(a.text(), "%s on %s, %s (configuration %.12s)\n", quoted(r.Program), quoted(r.GPU), r.Design,
		r.ConfigHash)
	if r.Meant != "" {
		fmt.Fprintf(a.text(), "%s is meant for: %s\n", r.Design, quoted(r.Meant))
	}
	fmt.Fprintln(a.text())
	t := newTable(a.Stdout)
	t.row("kernel", "grid", "block", "regs", "shared", "CTAs/SM", "cycles", "warp instr.", "IPC", "issued",
		"top reasons of idle issue slots")
	kernels := repeated(r.Kernels)
	for _, k := range kernels {
		row(t, k.label, dims(k.Grid), dims(k.Block), fmt.Sprint(k.RegistersPerThread), fmt.Sprint(k.SharedBytes),
			&k.Counts)
	}
	if len(kernels) > 1 {
		row(t, "total", "", "", "", "", &r.Total.Counts)
	}
	if err := t.flush(); err != nil {
		return err
	}
	fmt.Fprintln(a.text())
	for _, e := range r.Expect {
		fmt.Fprintln(a.text(), expectText(e))
	}
	if !r.Complete {
		fmt.Fprintln(a.text(), "incomplete: the run was cut short")
	}
	a.sampled(r, sample)
	if r.Perturbed != nil {
		fmt.Fprintln(a.text(), perturbedText(r))
	}
	_, err := fmt.Fprintf(a.text(), "%.1f s, %s warp instructions per second\n", r.WallSeconds,
		magnitude(r.WarpInstructionsPerSecond))
	return err
}

func row(t *table, name, grid, block, regs, shared string, c *result.Counts) {
	t.row(name, grid, block, regs, shared, c.CTAsResidentMax, c.Cycles, c.WarpInstructions, fmt.Sprintf("%.2f", c.IPC),
		percent(c.IssueSlots[result.Issued], slots(c)), idle(c, 3))
}

func expectText(e result.Expect) string {
	if e.OK {
		return fmt.Sprintf("check %s: ok", quoted(e.Buffer))
	}
	return fmt.Sprintf("check %s: FAILED, %d elements differ, by up to %g", quoted(e.Buffer), e.Mismatches,
		e.MaxAbsError)
}

// group is the set of launches of one kernel in one shape.
type group struct {
	result.Kernel
	label    string
	launches int
}

// repeated groups the launches that differ only in their counts, in the order of first occurrence.
func repeated(kernels []result.Kernel) []group {
	var out []group
	for _, s := range result.Groups(kernels, func(a, b *result.Kernel) bool {
		return result.SameShape(a, b) && a.Complete == b.Complete
	}) {
		g := group{s[0], kernelName(s[0].Name), result.Launched(s)}
		if g.launches > 1 {
			g.Counts = result.Sum(s).Counts
			g.label = fmt.Sprintf("%s x %d", g.label, g.launches)
		}
		out = append(out, g)
	}
	return out
}

func slots(c *result.Counts) uint64 { return sumOf(c.IssueSlots) }

// idle returns the most frequent reasons of unused slots.
func idle(c *result.Counts, most int) string {
	total := slots(c)
	reasons := sortedKeys(c.IssueSlots)
	reasons = slices.DeleteFunc(reasons, func(r string) bool { return r == result.Issued || c.IssueSlots[r] == 0 })
	slices.SortStableFunc(reasons, func(a, b string) int { return cmp.Compare(c.IssueSlots[b], c.IssueSlots[a]) })
	var out []string
	for _, r := range reasons[:min(most, len(reasons))] {
		out = append(out, r+" "+percent(c.IssueSlots[r], total))
	}
	return strings.Join(out, ", ")
}

func percent(n, of uint64) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f%%", 100*float64(n)/float64(of))
}

// magnitude formats a number with three significant digits and a unit prefix.
func magnitude(v float64) string {
	for _, u := range []struct {
		unit  float64
		label string
	}{{1e9, " G"}, {1e6, " M"}, {1e3, " k"}} {
		if v >= u.unit {
			return fmt.Sprintf("%.3g%s", v/u.unit, u.label)
		}
	}
	return fmt.Sprintf("%.3g", v)
}
