// Package lavamd is Rodinia's particle potential within a cut-off radius, in double precision. Each box of a
// hundred particles interacts with the 26 boxes around it.
package lavamd

import (
	_ "embed"
	"math"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name     = "lavaMD"
	capacity = 100 // particles in a box
	threads  = 128
	a2       = 0.5 // twice the square of the model's alpha, 0.5
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:  name,
		Suite: "Rodinia",
		Summary: "Particle potential and forces within a cut-off: a CTA per box, the neighbour's hundred particles " +
			"staged in shared memory; double precision.",
		Papers: map[string]string{"sharing": "set-2 (shared memory)", "ltrf": "register-sensitive (inferred)",
			"gebhart": "stand-in for simulation"},
		Kernels: []benchmarks.KernelInfo{{Name: "lavamd", Block: benchmarks.Dim(threads),
			Shared: threads * (32 + 32 + 8), PaperRegisters: 40}},
		Outputs: []string{"force"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// space is a lattice of x by y by z boxes. near limits a box's neighbours besides itself, 26 for all of them.
type space struct{ x, y, z, particles, near int }

// Study has many boxes without neighbours, to limit the work: a full box takes about 19,000 warp instructions per
// neighbour, itself included. The last warp is partial everywhere.
var sizes = benchmarks.Sizes[space]{
	Test:  space{2, 1, 1, 40, 1},
	Small: space{2, 2, 2, capacity, 1},
	Study: space{8, 7, 7, 56, 0},
	Paper: &space{10, 10, 10, capacity, 26},
}

// box and vec have the kernel's layout.
type box struct {
	First, Neighbours int32
	Neighbour         [26]int32
}

type vec struct{ V, X, Y, Z float64 }

func run(c *benchmarks.Context, s space) error {
	boxes := lattice(s)
	n := len(boxes) * s.particles
	raw, charge := benchmarks.Widen(c.Floats("position", 4*n, 0.1, 1)), benchmarks.Widen(c.Floats("charge", n, 0.1, 1))
	position := make([]vec, n)
	for i := range position {
		position[i] = vec{raw[4*i], raw[4*i+1], raw[4*i+2], raw[4*i+3]}
	}
	dboxes := host.Upload(c.Device, "boxes", boxes)
	dposition := host.Upload(c.Device, "position", position)
	dcharge := host.Upload(c.Device, "charge", charge)
	dforce := c.Alloc("force", 32*n)
	err := c.Launch("lavamd", benchmarks.Dim(len(boxes)), benchmarks.Dim(threads),
		host.U64(dboxes), host.U64(dposition), host.U64(dcharge), host.U64(dforce), host.S32(int32(s.particles)),
		host.F64(a2))
	if err != nil {
		return err
	}
	// There are 27 * 100 terms of at most one, of either sign in x, y and z. exp is accurate to 1e-14 relative, and
	// sums to 2^-53 of their magnitudes, at most some thousand.
	return benchmarks.Close("force", host.Read[float64](c.Device, dforce, 4*n), forces(s, boxes, position, charge),
		benchmarks.Tolerance{Rel: 1e-12, Abs: 1e-10})
}

// lattice lists the boxes with their nearest neighbours in index order.
func lattice(s space) []box {
	var boxes []box
	for z := range s.z {
		for y := range s.y {
			for x := range s.x {
				b := box{First: int32(len(boxes) * s.particles)}
				for k := range 27 {
					nx, ny, nz := x+k%3-1, y+k/3%3-1, z+k/9-1
					inside := nx >= 0 && nx < s.x && ny >= 0 && ny < s.y && nz >= 0 && nz < s.z
					if k != 13 && inside && int(b.Neighbours) < s.near {
						b.Neighbour[b.Neighbours] = int32((nz*s.y+ny)*s.x + nx)
						b.Neighbours++
					}
				}
				boxes = append(boxes, b)
			}
		}
	}
	return boxes
}

// forces returns v, x, y and z of each particle.
func forces(s space, boxes []box, position []vec, charge []float64) []float64 {
	out := make([]float64, 4*len(position))
	for h := range boxes {
		others := append([]int32{int32(h)}, boxes[h].Neighbour[:boxes[h].Neighbours]...)
		for i := h * s.particles; i < (h+1)*s.particles; i++ {
			for _, o := range others {
				for j := int(o) * s.particles; j < (int(o)+1)*s.particles; j++ {
					pair(position[i], position[j], charge[j], out[4*i:4*i+4])
				}
			}
		}
	}
	return out
}

// pair adds the action of particle s with charge q on particle r.
func pair(r, s vec, q float64, f []float64) {
	dot := r.X*s.X + r.Y*s.Y + r.Z*s.Z
	v := q * math.Exp(-a2*(r.V+s.V-dot))
	f[0] += v
	f[1] += 2 * v * (r.X - s.X)
	f[2] += 2 * v * (r.Y - s.Y)
	f[3] += 2 * v * (r.Z - s.Z)
}
