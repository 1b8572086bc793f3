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
	// series are the rows by whose machine code was simulated; of the rows that are machine code themselves one.
	series []suite.Series
}

// own names the code of Kumiko's compiler.
const own = "Kumiko's compiler"

// alone returns the series of rows that are machine code.
func alone(rows []suite.Outcome) []suite.Series { return []suite.Series{{Rows: rows}} }

// launches simulates the launches measured on a chip, with the code of Kumiko's compiler and with that of NVIDIA's
// assembler.
func launches(c *suite.Chip, only func(program string) bool, done func()) (out []suite.Series, err error) {
	for _, code := range []string{"", c.Code} {
		s, set := suite.Series{Name: own}, []string(nil)
		if code != "" {
			s.Name, set = "NVIDIA's assembler, "+code, []string{"compiler.code=" + code}
		}
		if s.Rows, err = suite.Launches(c.Files(), c.GPU, set, only, func([]suite.Outcome) { done() }); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// simulateChip simulates the rows measured on a chip. only selects programs by name.
func simulateChip(c *suite.Chip, only func(program string) bool, done func()) (*deviceRows, error) {
	dir := c.Files()
	all := func(string) bool { return true }
	kernels, err := launches(c, only, done)
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
	of := func(class string) []suite.Series {
		var out []suite.Outcome
		for _, o := range slices.Concat(memory, loops) {
			if o.Class == class {
				out = append(out, o)
			}
		}
		return alone(out)
	}
	return &deviceRows{c, []class{
		{"kernels", "The launches of the built-in programs, of those sizes that were measured: their inputs, grids " +
			"and CTAs are the same there and here. The chip runs what ptxas makes of the programs' PTX. Cycles are " +
			"those of Nsight Compute, with cold caches.", kernels},
		{"empty kernels", "How fast CTAs are handed out. The smallest empty kernel says how long a launch takes.",
			alone(empty)},
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
	var out []page.Section
	for i := range d.classes {
		out = append(out, d.classes[i].section(d.chip.Name))
	}
	return out
}

// near is the relative difference of instructions up to which a launch counts as having the chip's.
const near = 0.02

// summarized returns the errors of the rows of all chips, with those of launches that execute what the chip does.
func summarized(chips []*deviceRows) page.Section {
	t := &page.Table{Head: []string{"chip", "rows", "machine code of", "number", "mean error", "worst", "beyond 25 %",
		"beyond 30 %", "correlation of logarithms", "not simulated"},
		Numeric: []bool{false, false, false, true, true, true, true, true, true, true}}
	sec := page.Section{Title: "How close it comes", Text: "Errors are relative to the measured value."}
	for _, d := range chips {
		sec.Text += fmt.Sprintf(" %s: %s, simulated on %s.", d.chip.Name, d.chip.Doc, d.chip.GPU)
		add := func(rows, code string, list []suite.Outcome) {
			s := suite.Summarize(rows, list)
			beyond := 0
			for i := range list {
				if list[i].Refused == nil && math.Abs(list[i].Error()) > 0.25 {
					beyond++
				}
			}
			t.Rows = append(t.Rows, []string{d.chip.Name, rows, code, fmt.Sprint(s.Rows), percent(s.Mean),
				percent(s.Worst), fmt.Sprint(beyond), fmt.Sprint(s.Beyond), fmt.Sprintf("%.4f", s.Correlation),
				fmt.Sprint(s.Refused)})
		}
		for i := range d.classes {
			c := &d.classes[i]
			for _, s := range c.series {
				add(c.title, cmp.Or(s.Name, "the chip's"), s.Rows)
			}
			if len(c.series) > 1 {
				s := &c.series[1]
				add(fmt.Sprintf("%s whose instructions are within %.0f %% of the chip's", c.title, 100*near), s.Name,
					alike(s.Rows))
			}
		}
	}
	sec.Parts = []page.Part{page.Tab(t)}
	return sec
}

// alike returns the launches that execute nearly as many instructions as on the chip.
func alike(rows []suite.Outcome) []suite.Outcome {
	return slices.DeleteFunc(slices.Clone(rows), func(o suite.Outcome) bool {
		return math.Abs(o.Here.Instructions/o.There.Instructions-1) > near
	})
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

// section draws the rows of a class, and lists them, the largest differences first: those of NVIDIA's code, if there is
// one.
func (c *class) section(chip string) page.Section {
	last := c.series[len(c.series)-1].Rows
	order := make([]int, len(last))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(math.Abs(last[b].Error()), math.Abs(last[a].Error()))
	})
	t := &page.Table{Head: []string{"row", "unit", "measured"}, Numeric: []bool{false, false, true},
		Class: func(row, column int) string {
			if k := (column - 4) / 2; column >= 4 && column%2 == 0 && c.series[k].Rows[order[row]].Refused == nil &&
				math.Abs(c.series[k].Rows[order[row]].Error()) > 0.3 {
				return "bad"
			}
			return ""
		}}
	t.ID = anchors(chip + " " + c.title)
	series := make([]suite.Series, len(c.series))
	for k, s := range c.series {
		t.Head = append(t.Head, strings.TrimSuffix("simulated, "+s.Name, ", "), "error")
		t.Numeric = append(t.Numeric, true, true)
		series[k] = suite.Series{Name: s.Name, Link: link(t.ID)}
		for _, i := range order {
			series[k].Rows = append(series[k].Rows, s.Rows[i])
		}
	}
	for _, i := range order {
		row := []string{last[i].Name, last[i].Unit, value(last[i].Measured)}
		for _, s := range c.series {
			if o := &s.Rows[i]; o.Refused != nil {
				row = append(row, "-", "not simulated")
			} else {
				row = append(row, value(o.Simulated), fmt.Sprintf("%+.1f %%", 100*o.Error()))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	parts := []page.Part{{Group: &page.Group{Title: "All rows", Folded: true, Parts: []page.Part{page.Tab(t)}}}}
	if spec := suite.Scatter(series, "measured", "simulated"); spec != nil {
		parts = slices.Insert(parts, 0, page.Fig("Measured and simulated, on logarithmic axes. On the dashed line "+
			"both are equal.", spec))
	}
	return page.Section{Title: chip + ": " + c.title, Text: c.text, Parts: parts}
}
