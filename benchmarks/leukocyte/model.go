package leukocyte

import (
	"math"

	"kumiko/benchmarks"
)

// tables are the kernels' contents of constant memory.
type tables struct {
	sine, cosine     [maxPoints]float32
	offsetX, offsetY [maxCircles * maxPoints]int32
	element          [strel * strel]byte
}

// newTables has circles of radii 5 to 11 and a disc.
func newTables(w workload) *tables {
	t := &tables{}
	for p := range w.points {
		sin, cos := math.Sincos(2 * math.Pi * float64(p) / float64(w.points))
		t.sine[p], t.cosine[p] = float32(sin), float32(cos)
		for k := range w.circles {
			t.offsetX[k*maxPoints+p] = int32(math.Round(float64(5+k) * cos))
			t.offsetY[k*maxPoints+p] = int32(math.Round(float64(5+k) * sin))
		}
	}
	for i := range t.element {
		y, x := float64(i/strel)-5.5, float64(i%strel)-5.5
		if x*x+y*y <= 36 {
			t.element[i] = 1
		}
	}
	return t
}

func (t *tables) upload(c *benchmarks.Context) error {
	for _, v := range []struct {
		name string
		data any
	}{{"sine", t.sine}, {"cosine", t.cosine}, {"offsetX", t.offsetX}, {"offsetY", t.offsetY}, {"element", t.element}} {
		if err := c.Constant(v.name, v.data); err != nil {
			return err
		}
	}
	return nil
}

// scores returns the squared mean divided by the variance of the gradients along the radii, with the deviations
// taken from the mean.
func (t *tables) scores(w workload, gx, gy []float32) []float64 {
	out := make([]float64, w.w*w.h)
	for y := margin; y < w.h-margin; y++ {
		for x := margin; x < w.w-margin; x++ {
			for k := range w.circles {
				along := make([]float64, w.points)
				mean := 0.0
				for p := range along {
					at := (y+int(t.offsetY[k*maxPoints+p]))*w.w + x + int(t.offsetX[k*maxPoints+p])
					along[p] = float64(gx[at])*float64(t.cosine[p]) + float64(gy[at])*float64(t.sine[p])
					mean += along[p] / float64(w.points)
				}
				variance := 0.0
				for _, g := range along {
					variance += (g - mean) * (g - mean) / float64(w.points-1)
				}
				out[y*w.w+x] = max(out[y*w.w+x], mean*mean/variance)
			}
		}
	}
	return out
}

func (t *tables) dilate(w workload, score []float32) []float32 {
	out := make([]float32, len(score))
	for i, v := range score {
		y, x := i/w.w, i%w.w
		for k, in := range t.element {
			// The pixel (tx, ty) has this pixel at place k of its window.
			ty, tx := y-(k/strel-strel/2), x-(k%strel-strel/2)
			if in != 0 && ty >= 0 && ty < w.h && tx >= 0 && tx < w.w {
				out[ty*w.w+tx] = max(out[ty*w.w+tx], v)
			}
		}
	}
	return out
}

// flow iterates one cell's image, and counts the iterations.
func flow(w workload, image []float64) (v []float64, rounds int) {
	v = append([]float64(nil), image...)
	for rounds < w.iterations {
		next := make([]float64, len(v))
		change := 0.0
		for i, old := range v {
			y, x := i/w.n, i%w.n
			pull := 0.0
			for k := range 9 {
				ny, nx := min(max(y+k/3-1, 0), w.m-1), min(max(x+k%3-1, 0), w.n-1)
				d := v[ny*w.n+nx] - old
				pull += d * (0.5 + math.Atan(10*d)/math.Pi)
			}
			next[i] = old + 0.5/5*pull
			next[i] -= image[i] / 5 * (next[i] - image[i])
			change += math.Abs(next[i] - old)
		}
		v = next
		rounds++
		if change/float64(len(v)) < cutoff {
			break
		}
	}
	return v, rounds
}
