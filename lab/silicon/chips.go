package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"kumiko/internal/page"
	"kumiko/lab/device/suite"
)

// deviceRows holds the measured and simulated rows of a chip, by class.
type deviceRows struct {
	chip    *suite.Chip
	classes []class
}

// class holds the rows of a class.
type class struct {
	title, text string
	rows        []suite.Outcome
}

// simulateChip simulates the rows measured on a chip. only selects programs by name.
func simulateChip(c *suite.Chip, only func(program string) bool, done func()) (*deviceRows, error) {
	dir := c.Files()
	all := func(string) bool { return true }
	launches, err := suite.Launches(dir, c.GPU, nil, only, func([]suite.Outcome) { done() })
	if err != nil {
		return nil, err
	}
	memory, err := suite.Memory(dir, c.GPU, all)
	if err != nil {
		return nil, err
	}
	empty, err := suite.Empty(dir, c.GPU)
	if err != nil {
		return nil, err
	}
	loops, err := suite.Loops(dir, c.GPU, all)
	if err != nil {
		return nil, err
	}
	of := func(class string) (out []suite.Outcome) {
		for _, o := range slices.Concat(memory, loops) {
			if o.Class == class {
				out = append(out, o)
			}
		}
		return out
	}
	return &deviceRows{c, []class{
		{"kernels", "The launches of the built-in programs, of those sizes that were measured: their inputs, grids " +
			"and CTAs are the same there and here. The chip runs what ptxas makes of the programs' PTX. Cycles are " +
			"those of Nsight Compute, with cold caches.", launches},
		{"empty kernels", "How fast CTAs are handed out. The smallest empty kernel says how long a launch takes.",
			empty},
		{"walks of memory", "Cycles of a load whose address the load before it brings.", of("walks")},
		{"streams of memory", "Cycles of launches that do nothing but read or write.", of("streams")},
		{"loads that wait for a line", "Cycles of 1 to 16 loads of a lane, from 1 to 32 lines, by one warp or " +
			"four, that miss the L1 and hit the L2: all but the first of a sector wait for the sector. In some rows " +
			"they hit the L1 instead.", of("waits")},
		{"passes over code", "Cycles of an instruction in straight code of one warp.", of("code")},
		{"loops of instructions", "64 instructions of one kind, in the registers and with the control words that " +
			"ptxas gave them.", of("loops")},
		{"stores, atomics and barriers", "The same loops of accesses to global memory, and of barriers.",
			of("accesses")},
		{"stores of several warps to the same words", "The chip makes one of some of these stores.", of("same words")},
	}}, nil
}

// sections returns the sections of a chip's part of the page.
func (d *deviceRows) sections() []page.Section {
	t := &page.Table{Head: []string{"rows", "number", "mean error", "worst", "beyond 30 %", "correlation of logarithms",
		"not simulated"}, Numeric: []bool{false, true, true, true, true, true, true}}
	out := []page.Section{{Title: d.chip.Name, Text: d.chip.Doc + ". Simulated on " + d.chip.GPU + ".",
		Parts: []page.Part{page.Tab(t)}}}
	for i := range d.classes {
		c := &d.classes[i]
		s := suite.Summarize(c.title, c.rows)
		t.Rows = append(t.Rows, []string{c.title, fmt.Sprint(s.Rows), percent(s.Mean), percent(s.Worst),
			fmt.Sprint(s.Beyond), fmt.Sprintf("%.4f", s.Correlation), fmt.Sprint(s.Refused)})
		out = append(out, c.section(d.chip.Name))
	}
	return out
}

// value formats a measured or simulated value in digits, never with an exponent.
func value(x float64) string {
	if x >= 1000 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.4g", x)
}

func percent(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }

// anchors returns the anchors of the rows of a table, numbered behind the table's title.
func anchors(title string) func(row int) string {
	name := strings.NewReplacer(" ", "-", ":", "", ",", "", "'", "").Replace(strings.ToLower(title))
	return func(row int) string { return fmt.Sprintf("%s-%d", name, row+1) }
}

// link returns the addresses of anchors on the same page.
func link(id func(row int) string) func(row int) string {
	return func(row int) string { return "#" + id(row) }
}

// section draws the rows of a class, and lists them, the largest differences first.
func (c *class) section(chip string) page.Section {
	sorted := slices.Clone(c.rows)
	slices.SortStableFunc(sorted, func(a, b suite.Outcome) int {
		return cmp.Compare(math.Abs(b.Error()), math.Abs(a.Error()))
	})
	t := &page.Table{Head: []string{"row", "unit", "measured", "simulated", "error"},
		Numeric: []bool{false, false, true, true, true},
		Class: func(row, column int) string {
			if column == 4 && math.Abs(sorted[row].Error()) > 0.3 {
				return "bad"
			}
			return ""
		}}
	t.ID = anchors(chip + " " + c.title)
	for _, o := range sorted {
		if o.Refused != nil {
			t.Rows = append(t.Rows, []string{o.Name, o.Unit, value(o.Measured), "-", "not simulated"})
			continue
		}
		t.Rows = append(t.Rows, []string{o.Name, o.Unit, value(o.Measured), value(o.Simulated),
			fmt.Sprintf("%+.1f %%", 100*o.Error())})
	}
	parts := []page.Part{page.Tab(t)}
	if spec := suite.Scatter([]suite.Series{{Rows: sorted, Link: link(t.ID)}}, "measured", "simulated"); spec != nil {
		parts = slices.Insert(parts, 0, page.Fig("Measured and simulated, on logarithmic axes. On the dashed line "+
			"both are equal.", spec))
	}
	return page.Section{Title: chip + ": " + c.title, Text: c.text, Parts: parts}
}
