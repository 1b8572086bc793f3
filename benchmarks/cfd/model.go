package cfd

import "math"

// The host's computation, in double precision: states are vectors of density,
// momentum and energy, and the flux through a face is written as the flux
// function of the Euler equations along its normal.

const (
	gamma     = 1.4
	mach      = 1.2
	smoothing = 0.2
)

type state [5]float64

// farField returns the undisturbed flow along x, at pressure one and density gamma. The speed of sound is then one.
func farField() state {
	return state{gamma, gamma * mach, 0, 0, gamma*mach*mach/2 + 1/(gamma-1)}
}

func (s state) velocity() [3]float64 { return [3]float64{s[1] / s[0], s[2] / s[0], s[3] / s[0]} }

func (s state) speed() float64 {
	v := s.velocity()
	return math.Sqrt(v[0]*v[0] + v[1]*v[1] + v[2]*v[2])
}

func (s state) pressure() float64 {
	return (gamma - 1) * (s[4] - s[0]*s.speed()*s.speed()/2)
}

func (s state) sound() float64 { return math.Sqrt(gamma * s.pressure() / s[0]) }

// through returns the flux along a normal, proportional to the normal's length.
func (s state) through(n [3]float64) state {
	v, p := s.velocity(), s.pressure()
	u := v[0]*n[0] + v[1]*n[1] + v[2]*n[2]
	return state{u * s[0], u*s[1] + p*n[0], u*s[2] + p*n[1], u*s[3] + p*n[2], u * (s[4] + p)}
}

// packed returns the kernel's layout of the far field: the state, and the fluxes of momentum and energy along each
// axis.
func (s state) packed() []float32 {
	out := []float32{float32(s[0]), float32(s[1]), float32(s[2]), float32(s[3]), float32(s[4])}
	for k := 1; k < 5; k++ {
		for axis := range 3 {
			var n [3]float64
			n[axis] = 1
			out = append(out, float32(s.through(n)[k]))
		}
	}
	return out
}

type solver struct {
	*mesh
	far         state
	state, flux []state
	factor      []float64
}

func newSolver(m *mesh, far state) *solver {
	s := &solver{mesh: m, far: far, state: make([]state, m.n), flux: make([]state, m.n), factor: make([]float64, m.n)}
	for i := range s.state {
		s.state[i] = far
	}
	return s
}

func (s *solver) step() {
	old := append([]state(nil), s.state...)
	for i, u := range old {
		s.factor[i] = 0.5 / (math.Sqrt(float64(s.area[i])) * (u.speed() + u.sound()))
	}
	for stage := range stages {
		for i := range s.flux {
			s.flux[i] = s.cell(i)
		}
		for i := range s.state {
			for k := range s.state[i] {
				s.state[i][k] = old[i][k] + s.factor[i]/float64(stages+1-stage)*s.flux[i][k]
			}
		}
	}
}

// cell returns the net flux into a cell.
func (s *solver) cell(i int) (sum state) {
	mine := s.state[i]
	for f := range faces {
		var n [3]float64
		for axis := range n {
			n[axis] = float64(s.normal[(3*f+axis)*s.n+i])
		}
		length := math.Sqrt(n[0]*n[0] + n[1]*n[1] + n[2]*n[2])
		to := s.neighbour[f*s.n+i]
		if to == wing {
			for axis, v := range n {
				sum[1+axis] += v * mine.pressure()
			}
			continue
		}
		other, viscosity := s.far, 0.0
		if to >= 0 {
			other = s.state[to]
			viscosity = smoothing / 2 * length * (mine.speed() + other.speed() + mine.sound() + other.sound())
		}
		here, there := mine.through(n), other.through(n)
		for k := range sum {
			sum[k] += (here[k]+there[k])/2 - viscosity*(mine[k]-other[k])
		}
	}
	return sum
}

// byVariable returns states stored variable by variable.
func (s *solver) byVariable(states []state) []float64 {
	out := make([]float64, 5*s.n)
	for i, u := range states {
		for k, v := range u {
			out[k*s.n+i] = v
		}
	}
	return out
}
