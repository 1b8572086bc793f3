// Package tpacf is Parboil's two-point angular correlation function: histograms
// of the angles between points on the sky.
package tpacf

import (
	_ "embed"
	"fmt"
	"math"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name    = "tpacf"
	threads = 256
	bins    = 20
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"TA"},
		Suite:   "Parboil",
		Summary: "Histograms of angles between points on the sky: all pairs, binary search for the bin, private " +
			"histograms in shared memory.",
		Papers: map[string]string{"finereg": "type-R (shared memory)"},
		Kernels: []benchmarks.KernelInfo{{Name: "gen_hists", Block: benchmarks.Dim(threads),
			Shared: 4 * (3*threads + bins*threads/2)}},
		Outputs: []string{"histograms"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// sky has a number of points, equal in the data and in each random set, and the number of random sets.
type sky struct{ points, sets int }

// Shared memory limits residency to seven CTAs on a 96-KB SM: 85 CTAs are three
// waves on four SMs. Paper is Parboil's small input.
var sizes = benchmarks.Sizes[sky]{
	Test:  sky{24, 1},
	Small: sky{96, 5},
	Study: sky{96, 42},
	Paper: &sky{487, 100},
}

func run(c *benchmarks.Context, s sky) error {
	points := scatter(c, s)
	// boundary has the cosines of the bins' limits: angles from 1 to 10000 minutes of arc, four decades of five
	// bins.
	var boundary [bins + 1]float32
	for i := range boundary {
		boundary[i] = float32(math.Cos(math.Pow(10, 0.2*float64(i)) / 60 * math.Pi / 180))
	}
	if err := c.Constant("boundary", boundary); err != nil {
		return err
	}
	jobs := 2*s.sets + 1
	dout := c.Alloc("histograms", 8*jobs*bins)
	var d [3]uint64
	for i, axis := range []string{"x", "y", "z"} {
		d[i] = host.Upload(c.Device, axis, points[i])
	}
	err := c.Launch("gen_hists", benchmarks.Dim(jobs), benchmarks.Dim(threads),
		host.U64(dout), host.U64(d[0]), host.U64(d[1]), host.U64(d[2]), host.S32(int32(s.sets)),
		host.S32(int32(s.points)))
	if err != nil {
		return err
	}
	return check(s, points, boundary, host.Read[uint64](c.Device, dout, jobs*bins))
}

// scatter returns unit vectors, the data first and then the random sets. Most of them lie in clusters, so that
// small angles occur.
func scatter(c *benchmarks.Context, s sky) (points [3][]float32) {
	r := c.Rand("sky")
	var centre [3]float64
	for i := range (s.sets + 1) * s.points {
		var p [3]float64
		for k := range p {
			p[k] = r.NormFloat64()
			if i%8 != 0 {
				p[k] = centre[k] + 0.01*p[k]
			}
		}
		length := math.Sqrt(p[0]*p[0] + p[1]*p[1] + p[2]*p[2])
		for k := range p {
			p[k] /= length
			points[k] = append(points[k], float32(p[k]))
		}
		if i%8 == 0 {
			centre = p
		}
	}
	return points
}

// check accepts deviations of a count by the number of doubtful pairs. The cosine of a doubtful pair is within 3e-7
// of a bin boundary, so that float32 may put the pair on either side.
func check(s sky, points [3][]float32, boundary [bins + 1]float32, got []uint64) error {
	bad := &host.CheckError{Buffer: "histograms"}
	for job := range 2*s.sets + 1 {
		one, two := 0, job
		if job > s.sets {
			one, two = job-s.sets, job-s.sets
		}
		sure, maybe := count(s, points, boundary, one, two)
		for b := range bins {
			if g := got[job*bins+b]; g < sure[b] || g > sure[b]+maybe[b] {
				if bad.Mismatches == 0 {
					bad.First = fmt.Sprintf("bin %d of job %d has %d pairs, expected %d to %d", b, job, g, sure[b],
						sure[b]+maybe[b])
				}
				bad.Mismatches++
			}
		}
	}
	if bad.Mismatches != 0 {
		return bad
	}
	return nil
}

// count returns, for each bin, the number of pairs certainly in it and the number of pairs possibly in it.
func count(s sky, points [3][]float32, boundary [bins + 1]float32, one, two int) (sure, maybe [bins]uint64) {
	const doubt = 3e-7
	for i := range s.points {
		first := 0
		if one == two {
			first = i + 1
		}
		for j := first; j < s.points; j++ {
			var dot float64
			for k := range points {
				dot += float64(points[k][one*s.points+i]) * float64(points[k][two*s.points+j])
			}
			for b := range bins {
				high, low := float64(boundary[b]), float64(boundary[b+1])
				if dot < high-doubt && dot >= low+doubt {
					sure[b]++
				} else if dot < high+doubt && dot >= low-doubt {
					maybe[b]++
				}
			}
		}
	}
	return sure, maybe
}
