// Package lbm is Parboil's lattice-Boltzmann flow in a lid-driven cavity: D3Q19,
// 19 values read and 19 scattered per cell and step.
package lbm

import (
	_ "embed"
	"math"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name       = "lbm"
	directions = 19
	obstacle   = 1
	lid        = 2
	omega      = 1.95
	lidX, lidZ = 0.005, 0.002
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"LB", "Lattice-Boltzmann"},
		Suite:   "Parboil",
		Summary: "Lattice-Boltzmann flow in a cavity, D3Q19: a line of cells per CTA streams 19 values in and " +
			"scatters 19 out.",
		Papers: map[string]string{"gebhart": "stand-in for simulation", "finereg": "type-R",
			"ltrf": "register-sensitive (inferred)"},
		Kernels: []benchmarks.KernelInfo{{Name: "performStreamCollide", Block: benchmarks.Dim(sizes.Study.x)}},
		Outputs: []string{"even", "odd"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// cavity is x cells (the CTA) by y by z, and a number of time steps.
type cavity struct{ x, y, z, steps int }

// Paper is cut to two steps.
var sizes = benchmarks.Sizes[cavity]{
	Test:  cavity{24, 5, 4, 1},
	Small: cavity{40, 12, 8, 2},
	Study: cavity{120, 28, 26, 2},
	Paper: &cavity{120, 120, 150, 2},
}

// move is a direction of the lattice. Each direction with an odd number is followed by its opposite.
type move struct{ x, y, z int }

var moves = [directions]move{
	{}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1},
	{1, 1, 0}, {-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}, {1, 0, 1}, {-1, 0, -1}, {1, 0, -1}, {-1, 0, 1},
	{0, 1, 1}, {0, -1, -1}, {0, 1, -1}, {0, -1, 1},
}

// weights are the weights of the directions by their length.
var weights = [3]float64{1.0 / 3, 1.0 / 18, 1.0 / 36}

func (m move) weight() float64 { return weights[m.x*m.x+m.y*m.y+m.z*m.z] }

// layout is the memory layout of a lattice. For each direction, and for the flags, it has the cells and a margin.
// The margin receives the values sent outwards by walls.
type layout struct{ cavity }

func (l layout) cells() int            { return l.x * l.y * l.z }
func (l layout) margin() int           { return l.x*l.y + l.x + 1 }
func (l layout) plane() int            { return l.cells() + 2*l.margin() }
func (l layout) shift(m move) int      { return m.x + m.y*l.x + m.z*l.x*l.y }
func (l layout) index(d, cell int) int { return d*l.plane() + l.margin() + cell }

func run(c *benchmarks.Context, cv cavity) error {
	l := layout{cv}
	state, flags := initial(c, l)
	words := make([]uint32, 0, 20*l.plane())
	for _, v := range state {
		words = append(words, math.Float32bits(float32(v)))
	}
	words = append(words, flags...)
	from, to := host.Upload(c.Device, "even", words), host.Upload(c.Device, "odd", words)
	names := [2]string{"even", "odd"}
	previous := append([]float64(nil), state...)
	for range cv.steps {
		err := c.Launch("performStreamCollide", benchmarks.Dim(cv.y, cv.z), benchmarks.Dim(cv.x), host.U64(from),
			host.U64(to),
			host.S32(int32(l.plane())), host.S32(int32(l.margin())), host.F32(omega), host.F32(lidX), host.F32(lidZ))
		if err != nil {
			return err
		}
		from, to = to, from
		names[0], names[1] = names[1], names[0]
		step(l, flags, state, previous)
		state, previous = previous, state
	}
	// Values of 1/36 to 1/3 go through some fifty operations and a relaxation that nearly doubles errors.
	tol := benchmarks.Tolerance{Rel: 1e-5, Abs: 1e-6}
	n := directions * l.plane()
	if err := benchmarks.Close(names[0], host.Read[float32](c.Device, from, n), state, tol); err != nil {
		return err
	}
	if err := benchmarks.Close(names[1], host.Read[float32](c.Device, to, n), previous, tol); err != nil {
		return err
	}
	for i, addr := range []uint64{from, to} {
		if err := benchmarks.Equal(names[i], host.Read[uint32](c.Device, addr, 20*l.plane())[n:], flags); err != nil {
			return err
		}
	}
	return nil
}

// initial returns a fluid near equilibrium between walls. Its second layer from the top moves. A few inner cells
// are obstacles.
func initial(c *benchmarks.Context, l layout) (state []float64, flags []uint32) {
	state = make([]float64, directions*l.plane())
	for i, noise := range c.Floats("distributions", len(state), 0.95, 1.05) {
		state[i] = float64(float32(moves[i/l.plane()].weight()) * noise)
	}
	flags = make([]uint32, l.plane())
	r := c.Rand("obstacles")
	for cell := range l.cells() {
		x, y, z := cell%l.x, cell/l.x%l.y, cell/(l.x*l.y)
		wall := x == 0 || y == 0 || z == 0 || x == l.x-1 || y == l.y-1 || z == l.z-1
		switch {
		case wall || r.IntN(50) == 0:
			flags[l.margin()+cell] = obstacle
		case z == l.z-2:
			flags[l.margin()+cell] = lid
		}
	}
	return state, flags
}

// step writes the state after `now` to the memory of an older state, `next`. Places to which no cell sends a value keep
// theirs.
func step(l layout, flags []uint32, now, next []float64) {
	var sent [directions]int // where cell 0 sends its values
	for d, m := range moves {
		sent[d] = l.index(d, l.shift(m))
	}
	for cell := range l.cells() {
		for d, v := range collide(l, flags[l.margin()+cell], now, cell) {
			next[sent[d]+cell] = v
		}
	}
}

// collide returns the values sent by a cell in each direction.
func collide(l layout, flags uint32, now []float64, cell int) (out [directions]float64) {
	var rho, ux, uy, uz float64
	for d, m := range moves {
		f := now[l.index(d, cell)]
		rho += f
		ux += f * float64(m.x)
		uy += f * float64(m.y)
		uz += f * float64(m.z)
	}
	ux, uy, uz = ux/rho, uy/rho, uz/rho
	if flags&lid != 0 {
		ux, uy, uz = lidX, 0, lidZ
	}
	for d, m := range moves {
		if flags&obstacle != 0 {
			opposite := d
			if d > 0 {
				opposite = (d - 1) ^ 1 + 1
			}
			out[d] = now[l.index(opposite, cell)]
			continue
		}
		u := float64(m.x)*ux + float64(m.y)*uy + float64(m.z)*uz
		equilibrium := m.weight() * rho * (1 + 3*u + 4.5*u*u - 1.5*(ux*ux+uy*uy+uz*uz))
		out[d] = (1-omega)*now[l.index(d, cell)] + omega*equilibrium
	}
	return out
}
