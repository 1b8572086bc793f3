package runpage

import (
	"cmp"
	"slices"
	"strings"

	"kumiko/cmd/kumiko/internal/machinesvg"
	"kumiko/components/stats"
	"kumiko/gpus/chip"
	"kumiko/internal/page"
)

// anchor begins the anchors of the table of statistics.
const anchor = "stat-"

// AddMachine adds the section of the machine's blocks and their statistics, before the sections of all numbers. The
// structure is of the chip and of one SM; the statistics are of all SMs. sampled: these are of a part of the run.
func AddMachine(p *page.Page, s *chip.Structure, all []stats.Stat, sampled bool) {
	d := machinesvg.Figure(s)
	boxes := make([]page.Box, len(d.Boxes))
	of := map[string]int{}
	for i, b := range d.Boxes {
		boxes[i] = page.Box{Title: b.Title, Note: b.Kind, Rows: []page.Sum{}}
		for _, name := range b.Blocks {
			of[machinesvg.Unnumbered(name)] = i
		}
	}
	rest := page.Box{Title: "No block chosen", Rows: []page.Sum{},
		Note: "Click a block, or go to it with Tab and press Enter. Of the whole SM, or of no block:"}
	for _, x := range all {
		sums := map[int]page.Sum{}
		x.Instances(func(instance string, v uint64) {
			i := boxOf(of, instance)
			sums[i] = plus(sums[i], x.Name, v)
		})
		for i, sum := range sums {
			switch {
			case sum.Sum == 0:
			case i < 0:
				rest.Rows = append(rest.Rows, sum)
			default:
				boxes[i].Rows = append(boxes[i].Rows, sum)
			}
		}
	}
	for i := range boxes {
		if len(boxes[i].Rows) == 0 {
			boxes[i].Note += ". No statistic of it is above zero."
		}
	}
	if len(rest.Rows) == 0 {
		rest.Note = "Click a block, or go to it with Tab and press Enter."
	}
	text := "The chip and its first SM. A box stands for all blocks whose names differ in numbers alone. Its " +
		"statistics are summed over these, all SMs and all launches; of several blocks, the least and the most of " +
		"one are beside the sum."
	if sampled {
		text += " They are of the simulated parts alone."
	}
	section := page.Section{Title: "The machine, block by block", Text: text, Parts: []page.Part{page.InBoxes(
		&page.Diagram{Caption: machinesvg.Legend, SVG: d.SVG, Boxes: boxes, Rest: rest, Explained: anchor})}}
	at := slices.IndexFunc(p.Sections, func(s page.Section) bool { return s.Title == statisticsTitle })
	p.Sections = slices.Insert(p.Sections, cmp.Or(max(at, 0), len(p.Sections)), section)
}

// boxOf returns the box that shows a count: the box of the block, or, if a part of a block counts, of the block that
// has the part. It returns -1 if no block counts.
func boxOf(of map[string]int, instance string) int {
	for name := machinesvg.Unnumbered(instance); name != ""; {
		if i, ok := of[name]; ok {
			return i
		}
		name = name[:max(strings.LastIndexByte(name, '.'), 0)]
	}
	return -1
}

// plus adds a count of one part to a sum.
func plus(s page.Sum, name string, v uint64) page.Sum {
	if s.Parts == 0 {
		s = page.Sum{Name: name, Least: v}
	}
	s.Parts++
	s.Sum, s.Least, s.Most = s.Sum+v, min(s.Least, v), max(s.Most, v)
	return s
}
