// Package streamcluster is Rodinia's online k-median clustering. The device computes, for each point, the saving by
// a new centre. The host opens centres.
package streamcluster

import (
	_ "embed"
	"math"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name    = "streamcluster"
	threads = 512
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"strm"},
		Suite:   "Rodinia",
		Summary: "Gain of opening a k-median centre: weighted distance of every point to a candidate in dynamic " +
			"shared memory, per-centre savings in rows of global memory.",
		Papers: map[string]string{"cerf": "cache high"},
		Kernels: []benchmarks.KernelInfo{{Name: "compute_cost", Block: benchmarks.Dim(threads),
			Shared: 4 * sizes.Study.dims}},
		Outputs: []string{"work", "switches"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// workload has the number of points, their dimensions, and the number of candidates tried.
type workload struct{ points, dims, candidates int }

// Paper is cut to ten candidates.
var sizes = benchmarks.Sizes[workload]{
	Test:  workload{600, 5, 3},
	Small: workload{4096, 16, 5},
	Study: workload{50_000, 16, 4},
	Paper: &workload{65536, 256, 10},
}

// opening is the cost of a further centre, relative to the mean cost of a point.
const opening = 4

// state is the state of the clustering, on the host.
type state struct {
	workload
	coord   []float32 // dimension-major
	weight  []float32
	cost    []float32
	assign  []int32 // index of each point's centre
	column  []int32 // a centre's column in the rows of savings
	centres []int32
}

func run(c *benchmarks.Context, w workload) error {
	s := start(c, w)
	dcoord := host.Upload(c.Device, "coordinates", s.coord)
	dweight := host.Upload(c.Device, "weight", s.weight)
	dcost := c.Alloc("cost", 4*w.points)
	dassign := c.Alloc("assign", 4*w.points)
	dcolumn := c.Alloc("column", 4*w.points)
	dwork := c.Alloc("work", 4*w.points*(w.candidates+1))
	dswitch := c.Alloc("switches", 4*w.points)
	r := c.Rand("candidates")
	for range w.candidates {
		x := r.IntN(w.points)
		columns := len(s.centres) + 1
		host.Write(c.Device, dcost, s.cost)
		host.Write(c.Device, dassign, s.assign)
		host.Write(c.Device, dcolumn, s.column)
		host.Write(c.Device, dwork, make([]float32, w.points*(w.candidates+1)))
		host.Write(c.Device, dswitch, make([]int32, w.points))
		err := c.LaunchShared("compute_cost", benchmarks.Dim(benchmarks.CeilDiv(w.points, threads)),
			benchmarks.Dim(threads), 4*w.dims,
			host.S32(int32(w.points)), host.S32(int32(w.dims)), host.S32(int32(x)), host.S32(int32(columns)),
			host.U64(dcoord),
			host.U64(dweight), host.U64(dcost), host.U64(dassign), host.U64(dcolumn), host.U64(dwork),
			host.U64(dswitch))
		if err != nil {
			return err
		}
		work := host.Read[float32](c.Device, dwork, w.points*(w.candidates+1))
		switches := host.Read[int32](c.Device, dswitch, w.points)
		if err := s.check(x, columns, work, switches); err != nil {
			return err
		}
		s.decide(x, columns, work, switches)
	}
	return nil
}

// start returns a state with point 0 as the centre of all points.
func start(c *benchmarks.Context, w workload) *state {
	s := &state{workload: w, coord: c.Floats("coordinates", w.points*w.dims, 0, 1),
		weight: c.Floats("weight", w.points, 0.5, 2)}
	s.cost, s.assign, s.column = make([]float32, w.points), make([]int32, w.points), make([]int32, w.points)
	s.centres = []int32{0}
	for p := range s.cost {
		s.cost[p] = float32(s.distance(p, 0))
	}
	return s
}

// distance returns the weighted squared distance of point p from point x.
func (s *state) distance(p, x int) float64 {
	var sum float64
	for i := range s.dims {
		d := float64(s.coord[i*s.points+p]) - float64(s.coord[i*s.points+x])
		sum += d * d
	}
	return sum * float64(s.weight[p])
}

// check compares all rows of savings and all flags. If the two costs differ by less than 1e-5 the flag may be
// either, and the flag decides which column is right: a sum of up to 256 squares in float32 is accurate to about
// 256 * 2^-24.
func (s *state) check(x, columns int, work []float32, switches []int32) error {
	want := make([]float64, len(work))
	flags := make([]int32, s.points)
	scale := 0.0
	for p := range s.points {
		theirs, mine := s.distance(p, x), float64(s.cost[p])
		if theirs < mine {
			flags[p] = 1
		}
		if math.Abs(theirs-mine) <= 2e-5*mine && switches[p]&^1 == 0 {
			flags[p] = switches[p]
		}
		if flags[p] == 1 {
			want[p*columns+columns-1] = theirs - mine
		} else {
			want[p*columns+int(s.column[s.assign[p]])] = mine - theirs
		}
		scale = max(scale, theirs, mine)
	}
	if err := benchmarks.Equal("switches", switches, flags); err != nil {
		return err
	}
	return benchmarks.Close("work", work, want, benchmarks.Tolerance{Rel: 1e-5, Abs: 2e-5 * scale})
}

// decide opens the centre if the savings of the switching points exceed its cost.
func (s *state) decide(x, columns int, work []float32, switches []int32) {
	var saved, total float64
	for p := range s.points {
		saved -= float64(work[p*columns+columns-1])
		total += float64(s.cost[p])
	}
	if saved < opening*total/float64(s.points) {
		return
	}
	s.column[x] = int32(len(s.centres))
	s.centres = append(s.centres, int32(x))
	for p := range s.points {
		if switches[p] != 0 {
			s.assign[p], s.cost[p] = int32(x), float32(s.distance(p, x))
		}
	}
}
