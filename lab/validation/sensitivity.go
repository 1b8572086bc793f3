package validation

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// Effect is the effect of a setting on the cycles of a launch.
type Effect struct {
	Entry
	Ours    float64 // Kumiko's cycles relative to the unchanged GPU's
	Missing bool    // Kumiko has no such setting
}

// Noise is the largest insignificant relative change of a single launch's cycles: changing delays by one cycle
// moves the reference by as much.
const Noise = 0.07

// Clear reports whether the reference changes by more than the noise.
func (f *Effect) Clear() bool { return math.Abs(f.Ratio-1) > Noise }

// Agrees reports whether both simulators change in the same direction.
func (f *Effect) Agrees() bool { return (f.Ratio-1)*(f.Ours-1) > 0 }

// Effects runs every launch of the sensitivities on the changed and on the unchanged GPU, both with further
// settings.
func Effects(entries []Entry, more ...string) ([]Effect, error) {
	base := map[string]uint64{}
	var out []Effect
	for i := range entries {
		e := &entries[i]
		set, ok := Settings(e)
		if !ok {
			out = append(out, Effect{Entry: *e, Missing: true})
			continue
		}
		m, err := Run(e, append(slices.Clone(more), set...)...)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Variant, err)
		}
		key := e.Kernel + " " + e.Config
		if e.Variant == baseVariant {
			base[key] = m.Ours.Cycles
			continue
		}
		if base[key] == 0 {
			return nil, fmt.Errorf("%s: %s comes before the launch on the unchanged GPU", e.Variant, key)
		}
		out = append(out, Effect{Entry: *e, Ours: float64(m.Ours.Cycles) / float64(base[key])})
	}
	return out, nil
}

// WriteEffects writes a line per setting in Markdown: for every kernel the reference's change and Kumiko's in per
// cent, and how many agree.
func WriteEffects(w io.Writer, list []Effect) {
	fmt.Fprint(w, "| GPU | setting |")
	for _, k := range applications {
		fmt.Fprintf(w, " %s |", k)
	}
	fmt.Fprintln(w, "\n|---|---|---|---|---|---|---|---|")
	cells := map[string]string{}
	var rows []string
	var clear, agree, missing int
	var against []string
	for i := range list {
		f := &list[i]
		row := fmt.Sprintf("| %s | %s: %s |", f.Config, f.Variant, f.Setting)
		if cells[row] == "" {
			rows = append(rows, row)
			cells[row] = "seen"
		}
		cell := fmt.Sprintf("%+.1f / %+.1f", 100*(f.Ratio-1), 100*(f.Ours-1))
		switch {
		case f.Missing:
			cell = fmt.Sprintf("%+.1f / none", 100*(f.Ratio-1))
			if f.Clear() {
				missing++
			}
		case f.Clear():
			clear++
			if f.Agrees() {
				agree++
				cell = "**" + cell + "**"
			} else {
				cell = "**" + cell + " (!)**"
				against = append(against, fmt.Sprintf("%s on %s, %s", f.Variant, f.Kernel, f.Config))
			}
		}
		cells[row+f.Kernel] = cell
	}
	for _, r := range rows {
		fmt.Fprint(w, r)
		for _, k := range applications {
			fmt.Fprintf(w, " %s |", cells[r+k])
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "\nThe reference moves by more than %.0f %% in %d cases that can be run here; ours goes the same "+
		"way in %d. %d more have no counterpart.\n",
		100*Noise, clear, agree, missing)
	if len(against) > 0 {
		fmt.Fprintf(w, "The other way: %s.\n", strings.Join(against, "; "))
	}
}
