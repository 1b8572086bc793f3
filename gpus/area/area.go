// Package area computes the area of a register file's storage from the shapes of its arrays, by the numbers of
// area.toml, each with its source. The area has no wires between blocks, no collectors, crossbars or control logic:
// it serves to compare designs by what they store, and is not the area of a chip.
package area

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"math"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"kumiko/components/storage"
	"kumiko/gpus/result"
	"kumiko/regfile"
)

//go:embed area.toml
var text []byte

// Model has the numbers of a process.
type Model struct {
	Values  []Value `toml:"value"`
	Samples Samples `toml:"samples"`

	feature                 float64 // um
	height, width, port     float64 // F, of an SRAM cell, and what a port adds to both
	bits, edge, slice       float64
	flop, multiplexer, xnor float64 // um^2
}

// Value is a number with its unit and source.
type Value struct {
	Name   string  `toml:"name"`
	Value  float64 `toml:"value"`
	Unit   string  `toml:"unit"`
	Source string  `toml:"source"`
}

// Samples are areas of SRAM arrays to which the factors of the formula are fitted.
type Samples struct {
	Source string   `toml:"source"`
	Unit   string   `toml:"unit"`
	Rows   []Sample `toml:"row"`
}

// Sample has the areas of arrays that differ in the number of their entries.
type Sample struct {
	Ports   string    `toml:"ports"`
	Width   int       `toml:"width"` // bits
	Entries []int     `toml:"entries"`
	Areas   []float64 `toml:"areas"` // by entries
}

var model = sync.OnceValue(func() *Model {
	m, err := parse(text)
	if err != nil {
		panic(fmt.Sprintf("area.toml: %v", err))
	}
	return m
})

// Builtin returns the model of area.toml.
func Builtin() *Model { return model() }

func parse(data []byte) (*Model, error) {
	m := &Model{}
	d := toml.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(m); err != nil {
		return nil, err
	}
	for name, to := range map[string]*float64{"feature": &m.feature, "sram.height": &m.height, "sram.width": &m.width,
		"sram.port": &m.port, "sram.bits": &m.bits, "sram.edge": &m.edge, "sram.slice": &m.slice,
		"logic.flip_flop": &m.flop, "logic.multiplexer": &m.multiplexer, "logic.comparator": &m.xnor} {
		for i := range m.Values {
			if m.Values[i].Name == name {
				*to = m.Values[i].Value
			}
		}
		if *to <= 0 {
			return nil, fmt.Errorf("no value %s", name)
		}
	}
	return m, nil
}

// Cell returns the area of an SRAM cell with this many ports, in um^2.
func (m *Model) Cell(ports int) float64 {
	more := m.port * float64(ports-1)
	return (m.height + more) * (m.width + more) * m.feature * m.feature
}

// Array returns the area of one array of entries of width bits, in um^2.
func (m *Model) Array(kind storage.Kind, entries, width float64, p Ports) (float64, error) {
	cells := entries * width
	switch kind {
	case storage.SRAM:
		n := math.Ceil(width / m.slice)
		w := width / n
		return n * m.Cell(p.Both+p.Reads+p.Writes) * w * (m.bits*entries + m.edge*w), nil
	case storage.FlipFlop, storage.CAM:
		reads, writes := float64(p.Reads+p.Both), float64(p.Writes+p.Both)
		kept := cells * (m.flop + writes*m.multiplexer)
		if kind == storage.CAM {
			return kept + cells*reads*m.xnor, nil
		}
		return kept + max(entries-1, 0)*width*reads*m.multiplexer, nil
	}
	return 0, fmt.Errorf("kind of array: found %q, expected %s, %s or %s", kind, storage.SRAM, storage.FlipFlop,
		storage.CAM)
}

// Of returns the area of the storage of one SM. Rows without a shape, or with ports that are no number, are listed as
// uncounted.
func (m *Model) Of(rows []regfile.State) (*result.Area, error) {
	out := &result.Area{Source: "CACTI 7, NanGate Open Cell Library: gpus/area/area.toml",
		NM: math.Round(1000 * m.feature), Rows: []result.AreaRow{}, Uncounted: []string{}}
	for i := range rows {
		r := &rows[i]
		p, ok := ParsePorts(cmp.Or(r.CellPorts, r.Ports))
		if r.Kind == "" || !ok {
			out.Uncounted = append(out.Uncounted, r.Block+": "+r.What)
			continue
		}
		row := result.AreaRow{Block: r.Block, What: r.What, Kind: string(r.Kind), Arrays: r.Count, Width: r.Width,
			Ports: p.String(), Apart: r.Apart}
		if r.Bits > 0 {
			if r.Width < 1 || r.Count < 1 {
				return nil, fmt.Errorf("%s, %s: found %d arrays of entries of %d bits, expected at least one of each",
					r.Block, r.What, r.Count, r.Width)
			}
			entries := float64(r.Bits) / float64(r.Count) / float64(r.Width)
			one, err := m.Array(r.Kind, entries, float64(r.Width), p)
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", r.Block, r.What, err)
			}
			row.Entries, row.UM2 = int(math.Ceil(entries)), one*float64(r.Count)
		}
		out.Rows = append(out.Rows, row)
	}
	out.Finish()
	return out, nil
}
