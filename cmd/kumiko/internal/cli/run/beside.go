package run

import (
	"fmt"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus/result"
)

// mostBeside is the most launches side by side that the terminal lists.
const mostBeside = 40

// besideText prints the launches that ran side by side. Their times count from the beginning of the row that they share
// in the result.
func besideText(a *app.App, kernels []result.Kernel) error {
	t, n := app.NewTable(a.Stdout), 0
	for _, k := range kernels {
		for i := range k.Beside {
			if n++; n == 1 {
				t.Printf("\nside by side, by stream; cycles count from the beginning of a row of several kernels\n")
				t.Row("kernel", "stream", "ready", "begin", "end", "overlapped", "warp instr.", "IPC", "issued",
					"top reasons of slots lost")
			}
			if n <= mostBeside {
				besideRow(t, &k.Beside[i])
			}
		}
	}
	if n > mostBeside {
		t.Printf("%d more: --json\n", n-mostBeside)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	return betweenText(a, kernels)
}

// betweenText prints which launches lost lines or DRAM rows to which others.
func betweenText(a *app.App, kernels []result.Kernel) error {
	t, n := app.NewTable(a.Stdout), 0
	for _, k := range kernels {
		for i := range k.Beside {
			for _, x := range k.Beside[i].Between {
				if n++; n == 1 {
					t.Printf("\nin each other's way in memory: lines lost in first-level caches, DRAM rows to close\n")
					t.Row("kernel", "stream", "other kernel", "stream", "lines lost", "row conflicts")
				}
				if n <= mostBeside {
					t.Row(app.KernelName(k.Beside[i].Name), k.Beside[i].Stream, app.KernelName(x.Name),
						k.Beside[x.Launch].Stream, x.LinesLost, x.RowConflicts)
				}
			}
		}
	}
	if n > mostBeside {
		t.Printf("%d more: --json\n", n-mostBeside)
	}
	return t.Flush()
}

func besideRow(t *app.Table, b *result.Beside) {
	cycles := b.End - min(b.Begin, b.End)
	all := 0.0
	for _, reason := range app.SortedKeys(b.IssueSlots) {
		all += b.IssueSlots[reason]
	}
	share := func(n float64) string { return fmt.Sprintf("%.1f%%", 100*n/max(all, 1)) }
	t.Row(app.KernelName(b.Name), b.Stream, b.Ready, b.Begin, b.End,
		fmt.Sprintf("%.0f%%", 100*float64(b.Overlap)/float64(max(cycles, 1))), b.WarpInstructions,
		fmt.Sprintf("%.2f", float64(b.ThreadInstructions)/float64(max(cycles, 1))), share(b.IssueSlots[result.Issued]),
		lost(b.IssueSlots, 3, share))
}
