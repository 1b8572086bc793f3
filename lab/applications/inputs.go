//go:build unix

package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
)

// inputs are the kinds of files that are made for programs. The arguments are sizes.
var inputs = map[string]func(file string, args []string) error{
	"graph": made(graph), "numbers": made(numbers), "commands": made(text), "keys": made(keys), "bytes": made(symbols),
	"matrix": made(matrix), "sparse": made(sparse), "floats": made(binaryFloats), "atoms": made(atoms),
	"obstacles": made(obstacles), "kspace": made(kspace), "samples": made(samples), "mri": made(mri),
	"frame": made(frame), "histogram": made(histogram), "sky": made(sky), "image": made(image),
	"hurricanes": made(hurricanes), "records": made(records), "system": made(system), "copy": made(text),
	"mesh": made(mesh), "bitmap": made(bitmap),
}

// maker makes the contents of a file from numbers.
type maker func(w *bytes.Buffer, r *rand.Rand, n []int, words []string)

// made returns a function that writes a file. Arguments that are numbers come as such too. The numbers are the same for
// each run.
func made(m maker) func(string, []string) error {
	return func(file string, args []string) error {
		n := make([]int, len(args)+3)
		for i, a := range args {
			n[i], _ = strconv.Atoi(a) // a word is no number
		}
		var w bytes.Buffer
		m(&w, rand.New(rand.NewPCG(1, 2)), n, args)
		return os.WriteFile(file, w.Bytes(), 0o644)
	}
}

func put(w *bytes.Buffer, values ...any) {
	for _, v := range values {
		if err := binary.Write(w, binary.LittleEndian, v); err != nil {
			panic(err) // a value without a size
		}
	}
}

// uniform returns numbers between bounds.
func uniform(r *rand.Rand, n int, low, high float32) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = low + (high-low)*r.Float32()
	}
	return out
}

// graph is a connected graph of n nodes with edges in both directions, in the format of Rodinia's and Parboil's bfs.
func graph(w *bytes.Buffer, r *rand.Rand, n []int, _ []string) {
	edges := make([][]int, n[0])
	for i := 1; i < n[0]; i++ {
		for _, j := range []int{r.IntN(i), r.IntN(n[0])} {
			edges[i], edges[j] = append(edges[i], j), append(edges[j], i)
		}
	}
	fmt.Fprintln(w, n[0])
	at := 0
	for _, e := range edges {
		fmt.Fprintln(w, at, len(e))
		at += len(e)
	}
	fmt.Fprintf(w, "\n0\n\n%d\n", at)
	for _, e := range edges {
		for _, j := range e {
			fmt.Fprintln(w, j, 1) // Parboil's program for the CPU counts edges
		}
	}
}

// numbers are n numbers of a text between two bounds, one a line.
func numbers(w *bytes.Buffer, r *rand.Rand, n []int, _ []string) {
	for _, v := range uniform(r, n[0], float32(n[1]), float32(n[2])) {
		fmt.Fprintf(w, "%f\n", v)
	}
}

// text is the first argument, with its escapes.
func text(w *bytes.Buffer, _ *rand.Rand, _ []int, words []string) {
	w.WriteString(strings.Join(words, "\n") + "\n")
}

// keys are n, and the numbers 0 to n-1 in another order, one a line.
func keys(w *bytes.Buffer, r *rand.Rand, n []int, _ []string) {
	fmt.Fprintln(w, n[0])
	for _, k := range r.Perm(n[0]) {
		fmt.Fprintln(w, k)
	}
}

// symbols are n bytes, small ones more often.
func symbols(w *bytes.Buffer, r *rand.Rand, n []int, _ []string) {
	for range n[0] {
		w.WriteByte(byte(r.IntN(1 + r.IntN(64))))
	}
}

// matrix is a matrix of text by columns, in the format of Parboil's sgemm.
func matrix(w *bytes.Buffer, r *rand.Rand, n []int, _ []string) {
	fmt.Fprint(w, n[0], " ", n[1], " ")
	for _, v := range uniform(r, n[0]*n[1], 0, 1) {
		fmt.Fprintf(w, "%.4f ", v)
	}
	w.WriteByte('\n')
}

// sparse is a matrix in Matrix Market's coordinate format, symmetric, with a full diagonal.
func sparse(w *bytes.Buffer, r *rand.Rand, n []int, _ []string) {
	var lines []string
	for i := 1; i <= n[0]; i++ {
		for j := 1; j < i; j++ {
			if r.IntN(n[0]) < n[1] {
				lines = append(lines, fmt.Sprintf("%d %d %g", i, j, r.Float32()))
			}
		}
		lines = append(lines, fmt.Sprintf("%d %d %g", i, i, 1+r.Float32()))
	}
	fmt.Fprintf(w, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n%s\n", n[0], n[0], len(lines),
		strings.Join(lines, "\n"))
}

// binaryFloats are n numbers between 0 and 1.
func binaryFloats(w *bytes.Buffer, r *rand.Rand, n []int, _ []string) { put(w, uniform(r, n[0], 0, 1)) }

// atoms are n atoms in a cube of an edge, in the format pqr.
func atoms(w *bytes.Buffer, r *rand.Rand, n []int, _ []string) {
	for i := range n[0] {
		p := uniform(r, 3, 0, float32(n[1]))
		fmt.Fprintf(w, "ATOM  %5d  C   ALA %5d    %8.3f%8.3f%8.3f %6.3f 1.000\n", i+1, i+1, p[0], p[1], p[2],
			2*r.Float32()-1)
	}
}

// obstacles is the grid of lbm: one character a cell.
func obstacles(w *bytes.Buffer, r *rand.Rand, n []int, _ []string) {
	for range n[2] {
		for range n[1] {
			for range n[0] {
				w.WriteByte("......................#"[r.IntN(23)])
			}
			w.WriteByte('\n')
		}
		w.WriteByte('\n')
	}
}

// kspace are the parameters of mri-gridding for n samples on a grid of an edge. Its data are samples.
func kspace(w *bytes.Buffer, _ *rand.Rand, n []int, _ []string) {
	m := n[1]
	fmt.Fprintf(w, "aquisition.numsamples=%d\naquisition.kmax=%d %d %d\naquisition.matrixSize=%d %d %d\n", n[0], m/2,
		m/2, m/2, m, m, m)
	fmt.Fprintf(w, "reconstruction.matrixSize=%d %d %d\ngridding.matrixSize=%d %d %d\n", m, m, m, m, m, m)
	fmt.Fprint(w, "gridding.oversampling=1.25\nkernel.width=3.0\nkernel.useLUT=1\n")
}

// samples are real and imaginary parts, three coordinates within half of a grid's edge, and the density.
func samples(w *bytes.Buffer, r *rand.Rand, n []int, _ []string) {
	half := float32(n[1]) / 2
	for range n[0] {
		put(w, uniform(r, 2, -1, 1), uniform(r, 3, -half, half), r.Float32())
	}
}

// mri are the numbers of k-space and of voxels, and their coordinates and values.
func mri(w *bytes.Buffer, r *rand.Rand, n []int, _ []string) {
	put(w, int32(n[0]), int32(n[1]), uniform(r, 3*n[0], -1, 1), uniform(r, 3*n[1], -1, 1), uniform(r, 2*n[0], -1, 1))
}

// frame is a picture of 16 bits a pixel with values of 8, smooth, so that two frames are alike.
func frame(w *bytes.Buffer, r *rand.Rand, n []int, _ []string) {
	put(w, uint16(n[0]), uint16(n[1]))
	for y := range n[1] {
		for x := range n[0] {
			put(w, uint16((x*3+y*5+n[2]*7+r.IntN(16))%256))
		}
	}
}

// histogram is the input of Parboil's histo: sizes, and bins near the middle more often.
func histogram(w *bytes.Buffer, r *rand.Rand, n []int, _ []string) {
	width, height := n[0], n[1]
	const across, down = 996, 1024 // as in the published data sets, of which the program has the constants
	put(w, uint32(width), uint32(height), uint32(across), uint32(down))
	for range width * height {
		v := 0
		for range 4 {
			v += r.IntN(across * down / 4)
		}
		put(w, uint32(v))
	}
}

// sky are n positions of galaxies: right ascension and declination.
func sky(w *bytes.Buffer, r *rand.Rand, n []int, words []string) {
	for range n[2] {
		r.Float64() // another file has other galaxies
	}
	for range n[0] {
		fmt.Fprintf(w, "%f %f\n", 20*r.Float64(), 20*r.Float64())
	}
}

// image is a picture of grey values as text (PGM).
func image(w *bytes.Buffer, r *rand.Rand, n []int, _ []string) {
	fmt.Fprintf(w, "P2\n%d %d\n255\n", n[0], n[1])
	for range n[0] * n[1] {
		fmt.Fprintln(w, 30+r.IntN(200))
	}
}

// hurricanes are records of nn: positions at fixed columns of lines with 48 characters.
func hurricanes(w *bytes.Buffer, r *rand.Rand, n []int, _ []string) {
	for i := range n[0] {
		fmt.Fprintf(w, "%4d%3d%3d%3d%4d %-9s %5.1f%5.1f%5d%5d\n", 1950+i%60, 1+r.IntN(12), 1+r.IntN(28), 6*r.IntN(4),
			i%100, "NAME", 7+63*r.Float64(), 180*r.Float64(), 10+r.IntN(150), 100+r.IntN(400))
	}
}

// records are n objects with features, with a number in front, as of kmeans.
func records(w *bytes.Buffer, r *rand.Rand, n []int, _ []string) {
	for i := range n[0] {
		fmt.Fprint(w, i)
		for range n[1] {
			fmt.Fprintf(w, " %.3f", float64(i%5)+r.Float64())
		}
		w.WriteByte('\n')
	}
}

// system are linear equations with a diagonal that dominates: n, the matrix, the right side.
func system(w *bytes.Buffer, r *rand.Rand, n []int, _ []string) {
	fmt.Fprintf(w, "%d\n\n", n[0])
	for i := range n[0] + 1 {
		for j := range n[0] {
			v := r.Float64()
			if i == j {
				v += float64(n[0])
			}
			fmt.Fprintf(w, "%.4f\t", v)
		}
		w.WriteByte('\n')
		if i == n[0]-1 {
			w.WriteByte('\n')
		}
	}
}

// mesh is a sheet of n cells with a width, in the format of cfd: of each its area, and for each of its four faces the
// cell behind it, counted from 1, and the face's normal. Numbers are shuffled among 64 cells, so that neighbours are
// near but not in order. A cell 0 is a wing, at the lower edge, and a negative one the far field.
func mesh(w *bytes.Buffer, r *rand.Rand, n []int, _ []string) {
	cells, width := n[0], n[1]
	number := make([]int, cells)
	at := make([]int, cells)
	for first := 0; first < cells; first += 64 {
		for i, k := range r.Perm(min(64, cells-first)) {
			number[first+i], at[first+k] = first+k, first+i
		}
	}
	fmt.Fprintln(w, cells)
	for _, place := range at {
		x, y := place%width, place/width
		fmt.Fprintf(w, "%g", 0.8+0.4*r.Float32())
		for _, d := range [4][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			nx, ny, behind := x+d[0], y+d[1], -1
			if ny < 0 {
				behind = 0
			} else if nx >= 0 && nx < width && ny*width+nx < cells {
				behind = number[ny*width+nx] + 1
			}
			noise := uniform(r, 3, -0.05, 0.05)
			fmt.Fprintf(w, " %d %g %g %g", behind, 0.4*float32(d[0])+noise[0], 0.4*float32(d[1])+noise[1], noise[2])
		}
		w.WriteByte('\n')
	}
}

// bitmap is a grey picture of 24 bits a pixel, smooth with some noise.
func bitmap(w *bytes.Buffer, r *rand.Rand, n []int, _ []string) {
	const head = 54
	width, height := n[0], n[1]
	bytes := 3 * width * height // a width of a multiple of four has rows without padding
	put(w, []byte("BM"), uint32(head+bytes), uint32(0), uint32(head), uint32(40), uint32(width), uint32(height),
		uint16(1), uint16(24), uint32(0), uint32(bytes), [4]uint32{})
	for y := range height {
		for x := range width {
			v := byte((x/3+y/5)%200 + r.IntN(16))
			put(w, [3]byte{v, v, v})
		}
	}
}
