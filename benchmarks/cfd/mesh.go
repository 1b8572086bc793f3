package cfd

import "kumiko/benchmarks"

const (
	faces   = 4
	wing    = -1
	outside = -2
)

// mesh is a mesh of cells. Neighbours and normals are stored face by face, as used by the kernel.
type mesh struct {
	n         int
	neighbour []int32
	normal    []float32 // x, y and z of a face, n cells each
	area      []float32
}

// newMesh makes a square-ish sheet of cells. The cell numbers are shuffled within groups of 64, so that gathers are
// local but not in order. The lower edge is a wing. The other edges lead to the far field.
func newMesh(c *benchmarks.Context, n int) *mesh {
	m := &mesh{n: n, neighbour: make([]int32, faces*n), normal: make([]float32, 3*faces*n)}
	m.area = c.Floats("areas", n, 0.8, 1.2)
	noise := c.Floats("normals", 3*faces*n, -0.05, 0.05)
	number := make([]int32, n)
	for i := range number {
		number[i] = int32(i)
	}
	r := c.Rand("numbering")
	for at := 0; at < n; at += 64 {
		part := number[at:min(at+64, n)]
		r.Shuffle(len(part), func(i, j int) { part[i], part[j] = part[j], part[i] })
	}
	const width = 48
	directions := [faces][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}
	for i := range n {
		cell := int(number[i])
		x, y := i%width, i/width
		for f, d := range directions {
			nx, ny := x+d[0], y+d[1]
			to := int32(outside)
			switch {
			case ny < 0:
				to = wing
			case nx >= 0 && nx < width && ny*width+nx < n:
				to = number[ny*width+nx]
			}
			m.neighbour[f*n+cell] = to
			for axis, v := range [3]int{d[0], d[1], 0} {
				at := (3*f+axis)*n + cell
				m.normal[at] = 0.4*float32(v) + noise[at]
			}
		}
	}
	return m
}
