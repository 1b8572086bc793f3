package page

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
)

// Pairs compares any two of some points. The reader chooses them; the page shows in which values they differ.
type Pairs struct {
	Points []string
	Groups []int // of each point; points of a group have the same texts
	// First are the points that are shown at first.
	First  [2]int
	Tables []PairTable
}

// PairTable is a table of a Pairs. It shows the rows in which the two chosen points differ.
type PairTable struct {
	Title string
	// Relative: a change is in per cent of the first value. Otherwise it is the difference, with a bar, and the largest
	// comes first.
	Relative bool
	Numbers  []PairNumbers
	Texts    []PairTexts
}

// PairNumbers is a quantity of points.
type PairNumbers struct {
	Name   string
	Values []float64
	// Of are the points that have the values, in ascending order; nil: all points. The others have 0.
	Of []int
}

// PairTexts is a property of the points as text: point i has Texts[Of[i]].
type PairTexts struct {
	Name  string   `json:"name"`
	Texts []string `json:"texts"`
	Of    []int    `json:"of"`
}

// InPairs returns a part that compares points.
func InPairs(p *Pairs) Part { return Part{Pairs: p} }

//go:embed pairs.js
var pairsScript string

// pairs is the form of a Pairs used by the template.
type pairs struct {
	Points []string
	First  [2]int
	Data   template.JS
}

// pairTable is a table as pairs.js reads it.
type pairTable struct {
	Title    string      `json:"title"`
	Relative bool        `json:"relative"`
	Names    []string    `json:"names"`
	Values   [][]float64 `json:"values"`
	Of       [][]int     `json:"of,omitempty"` // of each quantity; empty: all points
	Texts    []PairTexts `json:"texts"`
}

func (p *Pairs) prepared() (*pairs, error) {
	tables := []pairTable{}
	for _, t := range p.Tables {
		out := pairTable{Title: t.Title, Relative: t.Relative, Names: []string{}, Values: [][]float64{}, Texts: t.Texts}
		for i, n := range t.Numbers {
			out.Names, out.Values = append(out.Names, n.Name), append(out.Values, n.Values)
			if n.Of != nil && out.Of == nil {
				out.Of = make([][]int, len(t.Numbers))
			}
			if n.Of != nil {
				out.Of[i] = n.Of
			}
		}
		tables = append(tables, out)
	}
	data, err := json.Marshal(map[string]any{"groups": p.Groups, "tables": tables})
	if err != nil {
		return nil, fmt.Errorf("pairs: %w", err)
	}
	return &pairs{p.Points, p.First, template.JS(data)}, nil
}
