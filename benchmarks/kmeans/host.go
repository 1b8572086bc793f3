// Package kmeans is Rodinia's k-means clustering. The device assigns points to centres, and the host computes new
// centres.
package kmeans

import (
	_ "embed"
	"fmt"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/texture"
)

//go:embed kernel.ptx
var source []byte

const (
	name     = "kmeans"
	textured = "kmeans.tex"
	threads  = 256
	centres  = 5
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"KM", "kmns"},
		Suite:   "Rodinia",
		Summary: "Assigns points to the nearest of five centres, a thread per point; features lie feature-major and " +
			"are read again for every centre.",
		Papers: map[string]string{"finereg": "type-S", "cerf": "cache low", "ltrf": "register-insensitive"},
		Kernels: []benchmarks.KernelInfo{
			{Name: "kmeansPoint", Block: benchmarks.Dim(threads)},
			{Name: "invert_mapping", Block: benchmarks.Dim(threads)},
		},
		Outputs: []string{"inverted", "membership"},
		New: benchmarks.New(name, source, &sizes,
			func(c *benchmarks.Context, w workload) error { return run(c, w, assign) }),
	})
	benchmarks.Register(&benchmarks.App{
		Name:  textured,
		Suite: "Rodinia",
		Summary: "kmeans with the features in a one-dimensional texture and the centres in constant memory, as the " +
			"suite has them.",
		Kernels: []benchmarks.KernelInfo{
			{Name: "kmeansPointTex", Block: benchmarks.Dim(threads)},
			{Name: "invert_mapping", Block: benchmarks.Dim(threads)},
		},
		Outputs: []string{"inverted", "membership"},
		New: benchmarks.New(textured, source, &sizes,
			func(c *benchmarks.Context, w workload) error { return run(c, w, assignTextured) }),
	})
}

type workload struct{ points, features, iterations int }

// Paper is the KDD Cup input, cut to three iterations.
var sizes = benchmarks.Sizes[workload]{
	Test:  workload{300, 6, 2},
	Small: workload{4000, 8, 3},
	Study: workload{50_000, 8, 2},
	Paper: &workload{494_020, 34, 3},
}

// step launches the assignment with new centres.
type step func(c *benchmarks.Context, w workload, grid [3]int, b buffers, centre []float32) error

// buffers are addresses on the device.
type buffers struct{ inverted, member, centres uint64 }

func run(c *benchmarks.Context, w workload, assign step) error {
	in := c.Floats("points", w.points*w.features, 0, 10)
	din := host.Upload(c.Device, "points", in)
	b := buffers{c.Alloc("inverted", 4*w.points*w.features), c.Alloc("membership", 4*w.points),
		c.Alloc("centres", 4*centres*w.features)}
	ctas := benchmarks.CeilDiv(w.points, threads)
	err := c.Launch("invert_mapping", benchmarks.Dim(ctas), benchmarks.Dim(threads),
		host.U64(din), host.U64(b.inverted), host.S32(int32(w.points)), host.S32(int32(w.features)))
	if err != nil {
		return err
	}

	centre := append([]float32(nil), in[:centres*w.features]...) // the first points
	side := 1
	for side*side < ctas {
		side++
	}
	for range w.iterations {
		if err := assign(c, w, benchmarks.Dim(side, side), b, centre); err != nil {
			return err
		}
		member := host.Read[int32](c.Device, b.member, w.points)
		if err := checkMembership(w, in, centre, member); err != nil {
			return err
		}
		centre = means(w, in, member, centre)
	}
	return checkInverted(c, w, in, b.inverted)
}

func assign(c *benchmarks.Context, w workload, grid [3]int, b buffers, centre []float32) error {
	host.Write(c.Device, b.centres, centre)
	return c.Launch("kmeansPoint", grid, benchmarks.Dim(threads),
		host.U64(b.inverted), host.U64(b.centres), host.U64(b.member),
		host.S32(int32(w.points)), host.S32(int32(w.features)), host.S32(centres))
}

func assignTextured(c *benchmarks.Context, w workload, grid [3]int, b buffers, centre []float32) error {
	if err := c.Constant("centre", centre); err != nil {
		return err
	}
	features, err := c.NewTexture(texture.Texture{Addr: b.inverted, Type: ir.F32, Channels: 1,
		Width: w.points * w.features})
	if err != nil {
		return err
	}
	return c.Launch("kmeansPointTex", grid, benchmarks.Dim(threads), host.U64(features), host.U64(b.member),
		host.S32(int32(w.points)), host.S32(int32(w.features)), host.S32(centres))
}

// checkMembership accepts a centre at most 1e-5 farther away than the nearest one: the float32 sum of up to 34
// squares is accurate to about 2e-6.
func checkMembership(w workload, in, centre []float32, got []int32) error {
	bad := &host.CheckError{Buffer: "membership"}
	for p := range w.points {
		best, chosen := -1.0, -1.0
		for k := range centres {
			var sum float64
			for f := range w.features {
				d := float64(in[p*w.features+f]) - float64(centre[k*w.features+f])
				sum += d * d
			}
			if best < 0 || sum < best {
				best = sum
			}
			if int(got[p]) == k {
				chosen = sum
			}
		}
		if chosen < 0 || chosen > best*(1+1e-5) {
			if bad.Mismatches == 0 {
				bad.First = fmt.Sprintf("point %d is given to centre %d at squared distance %g, the nearest is at %g",
					p, got[p], chosen, best)
			}
			bad.Mismatches++
		}
	}
	if bad.Mismatches != 0 {
		return bad
	}
	return nil
}

func checkInverted(c *benchmarks.Context, w workload, in []float32, addr uint64) error {
	want := make([]float32, len(in))
	for p := range w.points {
		for f := range w.features {
			want[f*w.points+p] = in[p*w.features+f]
		}
	}
	return benchmarks.Equal("inverted", host.Read[float32](c.Device, addr, len(in)), want)
}

// means moves each centre to the mean of its points. A centre without points stays.
func means(w workload, in []float32, member []int32, centre []float32) []float32 {
	sum := make([]float64, centres*w.features)
	var count [centres]float64
	for p, k := range member {
		count[k]++
		for f := range w.features {
			sum[int(k)*w.features+f] += float64(in[p*w.features+f])
		}
	}
	out := append([]float32(nil), centre...)
	for i := range out {
		if n := count[i/w.features]; n > 0 {
			out[i] = float32(sum[i] / n)
		}
	}
	return out
}
