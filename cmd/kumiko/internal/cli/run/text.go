package run

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus/result"
)

// runText prints a result as text.
func runText(a *app.App, r *result.Result, sample *sampleFlags) error {
	fmt.Fprintf(a.Text(), "%s on %s, %s (configuration %.12s)\n", app.Quoted(r.Program), app.Quoted(r.GPU), r.Design,
		r.ConfigHash)
	if r.Meant != "" {
		fmt.Fprintf(a.Text(), "%s is meant for: %s\n", r.Design, app.Quoted(r.Meant))
	}
	codeText(a, r.Codes)
	fmt.Fprintln(a.Text())
	t := app.NewTable(a.Stdout)
	t.Row("kernel", "grid", "block", "regs", "shared", "CTAs/SM", "cycles", "warp instr.", "IPC", "issued",
		"top reasons of idle issue slots")
	kernels := repeated(r.Kernels)
	for _, k := range kernels {
		row(t, k.label, app.Dims(k.Grid), app.Dims(k.Block), fmt.Sprint(k.RegistersPerThread),
			fmt.Sprint(k.SharedBytes), &k.Counts)
	}
	if len(kernels) > 1 {
		row(t, "total", "", "", "", "", &r.Total.Counts)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if err := besideText(a, r.Kernels); err != nil {
		return err
	}
	fmt.Fprintln(a.Text())
	for _, e := range r.Expect {
		fmt.Fprintln(a.Text(), expectText(e))
	}
	if !r.Complete {
		fmt.Fprintln(a.Text(), "incomplete: the run was cut short")
	}
	sampled(a, r, sample)
	if r.Perturbed != nil {
		fmt.Fprintln(a.Text(), perturbedText(r))
	}
	_, err := fmt.Fprintf(a.Text(), "%.1f s, %s warp instructions per second\n", r.WallSeconds,
		app.Magnitude(r.WarpInstructionsPerSecond))
	return err
}

// codeText prints whose machine code the kernels ran as, with the registers that the assembler needed.
func codeText(a *app.App, codes []result.Code) {
	for i, c := range codes {
		if i == 0 || c.Hash != codes[i-1].Hash {
			fmt.Fprintf(a.Text(), "machine code for %s by %s (listing %.12s)\n", c.Code, c.Assembler, c.Hash)
			for _, note := range c.Notes {
				fmt.Fprintf(a.Text(), "  %s\n", note)
			}
		}
		spilled := ""
		if c.SpilledBytes > 0 {
			spilled = fmt.Sprintf(", %d bytes spilled", c.SpilledBytes)
		}
		fmt.Fprintf(a.Text(), "  %s: %d instructions, %d registers%s\n", app.Quoted(c.Kernel), c.Instructions,
			c.Registers, spilled)
	}
}

func row(t *app.Table, name, grid, block, regs, shared string, c *result.Counts) {
	t.Row(name, grid, block, regs, shared, c.CTAsResidentMax, c.Cycles, c.WarpInstructions, fmt.Sprintf("%.2f", c.IPC),
		app.Percent(c.IssueSlots[result.Issued], slots(c)), idle(c, 3))
}

func expectText(e result.Expect) string {
	if e.OK {
		return fmt.Sprintf("check %s: ok", app.Quoted(e.Buffer))
	}
	return fmt.Sprintf("check %s: FAILED, %d elements differ, by up to %g", app.Quoted(e.Buffer), e.Mismatches,
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
		g := group{s[0], app.KernelName(s[0].Name), result.Launched(s)}
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
	return lost(c.IssueSlots, most, func(n uint64) string { return app.Percent(n, total) })
}

// lost names the reasons for which most slots are lost, with their shares.
func lost[N uint64 | float64](slots map[string]N, most int, share func(N) string) string {
	reasons := app.SortedKeys(slots)
	reasons = slices.DeleteFunc(reasons, func(r string) bool { return r == result.Issued || slots[r] == 0 })
	slices.SortStableFunc(reasons, func(a, b string) int { return cmp.Compare(slots[b], slots[a]) })
	var out []string
	for _, r := range reasons[:min(most, len(reasons))] {
		out = append(out, r+" "+share(slots[r]))
	}
	return strings.Join(out, ", ")
}
