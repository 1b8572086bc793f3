package srad

import "math"

// model is the host's computation, in double precision and by coordinates
// instead of index arrays.
type model struct {
	rows, cols         int
	image, coefficient []float64
	d                  [4][]float64 // derivatives: north, south, east, west
}

func newModel(w workload, image []float32) *model {
	n := len(image)
	m := &model{rows: w.rows, cols: w.cols, image: make([]float64, n), coefficient: make([]float64, n)}
	for i, v := range image {
		m.image[i] = math.Exp(float64(v) / 255)
	}
	for i := range m.d {
		m.d[i] = make([]float64, n)
	}
	return m
}

// index returns the place of a pixel in an image, column by column. Outside the image it is that of the nearest pixel.
func (m *model) index(row, col int) int {
	return min(max(row, 0), m.rows-1) + m.rows*min(max(col, 0), m.cols-1)
}

func (m *model) iterate() {
	var sum, square float64
	for _, v := range m.image {
		sum += v
		square += v * v
	}
	n := float64(len(m.image))
	mean := sum / n
	q0 := (square/n - mean*mean) / (mean * mean)

	for col := range m.cols {
		for row := range m.rows {
			i := m.index(row, col)
			v := m.image[i]
			around := [4]int{m.index(row-1, col), m.index(row+1, col), m.index(row, col+1), m.index(row, col-1)}
			var g2, l float64
			for k, j := range around {
				d := m.image[j] - v
				m.d[k][i] = d
				g2 += d * d / (v * v)
				l += d / v
			}
			q := (g2/2 - l*l/16) / ((1 + l/4) * (1 + l/4))
			m.coefficient[i] = min(max(1/(1+(q-q0)/(q0*(1+q0))), 0), 1)
		}
	}
	for col := range m.cols {
		for row := range m.rows {
			i := m.index(row, col)
			here, below := m.coefficient[i], m.coefficient[m.index(row+1, col)]
			right := m.coefficient[m.index(row, col+1)]
			m.image[i] += lambda / 4 * (here*m.d[0][i] + below*m.d[1][i] + right*m.d[2][i] + here*m.d[3][i])
		}
	}
}
