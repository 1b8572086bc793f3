package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"kumiko/gpus/config"
	"kumiko/gpus/probe"
)

// line is a line of the table.
type line struct {
	row       string
	warps     int
	measured  float64 // cycles of a pass; 0: not measured
	simulated float64 // 0: there is no listing, or it was refused
	refused   error
}

// Report compares what is in a folder with a GPU.
func Report(dir, gpu string, w io.Writer) error {
	const name = "measured.csv"
	var measured []measurement
	f, err := os.Open(filepath.Join(dir, name))
	switch {
	case err == nil:
		measured, err = read(filepath.Join(dir, name), f)
		f.Close()
		if err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	var lines []line
	for _, r := range Rows() {
		file := filepath.Join(dir, r.Name+".sass")
		text, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, n := range warps {
			l := line{row: r.Name, warps: n, measured: fastest(measured, r.Name, n)}
			if err == nil {
				if l.simulated, err = simulate(file, string(text), &r, gpu, n); err != nil {
					l.refused = err
				}
			}
			lines = append(lines, l)
		}
	}
	return table(w, lines, device(measured), gpu)
}

// fastest is the shortest time of a row's pass, which nothing else has disturbed; 0: it was not measured.
func fastest(list []measurement, row string, warps int) float64 {
	best := 0.0
	for _, m := range list {
		if m.row == row && m.warps == warps && (best == 0 || m.cycles < best) {
			best = m.cycles
		}
	}
	return best
}

// device names what was measured.
func device(list []measurement) string {
	var names []string
	for _, m := range list {
		if !slices.Contains(names, m.device) {
			names = append(names, m.device)
		}
	}
	if len(names) == 0 {
		return "no device"
	}
	return fmt.Sprint(names)
}

// passes that are simulated: enough for a steady state.
const passes = 64

// simulate returns the cycles in which so many warps run a pass of the loop of a listing.
func simulate(file, text string, row *Row, gpu string, warps int) (float64, error) {
	l, err := cut(file, text, row.Op)
	if err != nil {
		return 0, err
	}
	cfg, err := config.Load(config.Request{GPU: gpu, Set: append(probe.LoopSettings(l.code), probe.Controlled)})
	if err != nil {
		return 0, err
	}
	r, err := probe.Run(cfg, l.code, l.lines,
		probe.Spec{Warps: warps, Repeat: passes, Check: true, Loop: l.simulated(), File: file, Stride: row.stride()})
	if err != nil {
		return 0, fmt.Errorf("%s: %w", file, err)
	}
	return r.Cycles * math.Ceil(float64(warps)/float64(cfg.SM.Schedulers)), nil
}

// table prints the lines, with errors where both times are known.
func table(w io.Writer, lines []line, device, gpu string) error {
	fmt.Fprintf(w, "cycles of a pass of %d instructions: %s, and %s as simulated\n\n", body, device, gpu)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "row\twarps\tmeasured\tsimulated\terror")
	var (
		all     []float64
		refused []error
	)
	for _, l := range lines {
		measured, simulated, off := "not measured", "no listing", ""
		if l.measured > 0 {
			measured = fmt.Sprintf("%.1f", l.measured)
		}
		if l.refused != nil {
			simulated = "refused"
			refused = append(refused, l.refused)
		}
		if l.simulated > 0 {
			simulated = fmt.Sprintf("%.1f", l.simulated)
		}
		if l.measured > 0 && l.simulated > 0 {
			e := l.simulated/l.measured - 1
			all = append(all, math.Abs(e))
			off = fmt.Sprintf("%+.1f %%", 100*e)
		}
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\n", l.row, l.warps, measured, simulated, off)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for i, err := range refused {
		if i == 0 || err.Error() != refused[i-1].Error() {
			fmt.Fprintf(w, "refused: %v\n", err)
		}
	}
	if len(all) == 0 {
		_, err := fmt.Fprintln(w, "\nno row has both times")
		return err
	}
	slices.Sort(all)
	_, err := fmt.Fprintf(w, "\n%d rows: median error %.1f %%, worst %.1f %%\n", len(all), 100*all[len(all)/2],
		100*all[len(all)-1])
	return err
}
