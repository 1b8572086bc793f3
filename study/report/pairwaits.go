package report

import (
	"kumiko/gpus/result"
	"kumiko/internal/page"
)

// mostWaits bounds the instructions of a point, and its pairs of registers, that the page compares: those that wait the
// longest. Few kernels have more that wait at all.
const mostWaits = 200

// waitTables compares the operand waits of points with a profile. Instructions are common to points of one benchmark
// only, so the tables have values for these points alone.
func waitTables(points []point) []page.PairTable {
	if !profiled(points) {
		return nil
	}
	instructions, registers := newSparse(points), newSparse(points)
	for i, p := range points {
		if p.Waits == nil {
			continue
		}
		for k := range p.Waits.Instructions[:min(mostWaits, len(p.Waits.Instructions))] {
			instructions.want(i, p.Waits.Instructions[k].Name())
		}
		for k := range p.Waits.Registers[:min(mostWaits, len(p.Waits.Registers))] {
			registers.want(i, p.Waits.Registers[k].Name())
		}
	}
	for i, p := range points {
		if p.Waits == nil {
			continue
		}
		for k := range p.Waits.Instructions {
			x := &p.Waits.Instructions[k]
			instructions.set(i, x.Name(), x.PerIssue())
		}
		scale := 1000 / float64(max(p.Waits.Issues(), 1))
		for k := range p.Waits.Registers {
			x := &p.Waits.Registers[k]
			registers.set(i, x.Name(), scale*float64(x.Cycles))
		}
	}
	return []page.PairTable{
		{Title: "Cycles that operands waited per issue", Numbers: byName(points, perIssue)},
		{Title: "Cycles waited per issue, by instruction", Numbers: instructions.rows},
		{Title: "Conflicts of two registers, cycles per thousand issues", Numbers: registers.rows},
	}
}

// perIssue returns the cycles waited per issue, by what was waited for; of a run without a profile nothing.
func perIssue(r *result.Result) map[string]float64 {
	if r.Waits == nil {
		return nil
	}
	return r.Waits.PerIssue()
}

func profiled(points []point) bool {
	for i := range points {
		if points[i].Waits != nil {
			return true
		}
	}
	return false
}

// sparse are quantities that the points of one benchmark alone have.
type sparse struct {
	points map[string][]int // of a benchmark
	place  []int            // of each point among those of its benchmark
	names  []string         // of the points' benchmarks
	rows   []page.PairNumbers
	at     map[[2]string]int // place of a row, by benchmark and name
}

func newSparse(points []point) *sparse {
	s := &sparse{points: map[string][]int{}, at: map[[2]string]int{}}
	for i, p := range points {
		s.place = append(s.place, len(s.points[p.benchmark]))
		s.points[p.benchmark] = append(s.points[p.benchmark], i)
		s.names = append(s.names, p.benchmark)
	}
	return s
}

// want makes a row of the points of a point's benchmark.
func (s *sparse) want(point int, name string) {
	benchmark := s.names[point]
	key := [2]string{benchmark, name}
	if _, ok := s.at[key]; ok {
		return
	}
	of := s.points[benchmark]
	s.at[key] = len(s.rows)
	s.rows = append(s.rows, page.PairNumbers{Name: name, Of: of, Values: make([]float64, len(of))})
}

// set sets a point's value in a row that is wanted.
func (s *sparse) set(point int, name string, value float64) {
	if row, ok := s.at[[2]string{s.names[point], name}]; ok {
		s.rows[row].Values[s.place[point]] = short(value)
	}
}
