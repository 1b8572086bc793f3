//go:build unix

package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// wavelet computes the 5/3 wavelet transform of JPEG 2000 (ITU-T T.800, F.4.8.1) in three levels, of an image with
// values of one byte, 128 wide and high. As in Rodinia's dwt2d, quotients of negative numbers are rounded towards
// zero, and the bands of a level follow each other.
func wavelet(dir string) error {
	const edge, levels = 128, 3
	file, err := os.ReadFile(filepath.Join(dir, "../../data/dwt2d/grey.bmp"))
	if err != nil {
		return err
	}
	found, err := os.ReadFile(filepath.Join(dir, "grey.bmp.dwt.lin.out"))
	if err != nil {
		return err
	}
	out := make([]int, edge*edge)
	for i := range out {
		out[i] = int(file[i]) - 128
	}
	for n := edge; n > edge>>levels; n /= 2 {
		level(out[:n*n], n)
	}
	var got, want []float64
	for _, v := range out {
		want = append(want, float64(min(max(v+128, 0), 255)))
	}
	for _, b := range found {
		got = append(got, float64(b))
	}
	return close("the transform", got, want, 0, 0)
}

// level transforms a square in place, columns first, and puts its four bands behind each other.
func level(at []int, n int) {
	for x := range n {
		lift(n, func(i int) *int { return &at[i*n+x] })
	}
	for y := range n {
		lift(n, func(i int) *int { return &at[y*n+i] })
	}
	bands := make([]int, n*n)
	for y := range n {
		for x := range n {
			band := (x%2)*n*n/4 + (y%2)*n*n/2
			bands[band+y/2*(n/2)+x/2] = at[y*n+x]
		}
	}
	copy(at, bands)
}

// lift subtracts predictions from the values at odd places, and adds updates to the others. Values outside are
// mirrored.
func lift(n int, at func(int) *int) {
	inside := func(i int) int {
		if i < 0 {
			i = -i
		}
		if i >= n {
			i = 2*(n-1) - i
		}
		return *at(i)
	}
	for i := 1; i < n; i += 2 {
		*at(i) -= (inside(i-1) + inside(i+1)) / 2
	}
	for i := 0; i < n; i += 2 {
		*at(i) += (inside(i-1) + inside(i+1) + 2) / 4
	}
}

var centroid = regexp.MustCompile(`(?m)^\d+:( -?\d+\.\d\d)+ *$`)

// kmeans checks that each centre that Rodinia's kmeans prints is the mean of the objects nearest to it. Centres have
// two decimals, so objects with almost the same distance to two of them may count for either: the means may be off by
// little more than the rounding.
func kmeans(dir string) error {
	log, err := os.ReadFile(filepath.Join(dir, "run.log"))
	if err != nil {
		return err
	}
	var centres [][]float64
	for _, l := range centroid.FindAll(log, -1) {
		centres = append(centres, parsed(l)[1:])
	}
	objects, err := os.ReadFile(filepath.Join(dir, "objects.txt"))
	if err != nil {
		return err
	}
	if len(centres) < 2 {
		return fmt.Errorf("found %d centres in its output, expected some", len(centres))
	}
	sums, counts := make([][]float64, len(centres)), make([]float64, len(centres))
	for l := range strings.Lines(string(objects)) {
		o, nearest, best := parsed([]byte(l))[1:], 0, math.Inf(1)
		for i, c := range centres {
			d := 0.0
			for j := range c {
				d += (c[j] - o[j]) * (c[j] - o[j])
			}
			if d < best {
				nearest, best = i, d
			}
		}
		if counts[nearest]++; sums[nearest] == nil {
			sums[nearest] = make([]float64, len(o))
		}
		for j, v := range o {
			sums[nearest][j] += v
		}
	}
	for i, c := range centres {
		for j := range sums[i] {
			sums[i][j] /= counts[i]
		}
		if err := close(fmt.Sprintf("centre %d", i), c, sums[i], 0, 0.02); err != nil {
			return err
		}
	}
	return nil
}

// hotspot takes eight steps of the equation of Rodinia's hotspot on a square chip of 64 by 64 cells, with the
// constants of the program: 16 mm wide, 0.5 mm thick silicon, surroundings of 80 degrees. (Its program for the CPU
// takes steps of a thousandth of the length.)
func hotspot(dir string) error {
	const n, steps = 64, 8
	const width, thickness, conductivity, ambient = 0.016, 0.0005, 100.0, 80.0
	const heat = 0.5 * 1.75e6 // fitted capacity of a volume
	cell := width / n
	capacity := heat * thickness * cell * cell
	across, up := 1/(2*conductivity*thickness), thickness/(conductivity*cell*cell)
	step := 0.001 / (3.0e6 / (heat * thickness)) / capacity
	t, err := parsedFile(dir, "temp.txt")
	if err != nil {
		return err
	}
	power, err := parsedFile(dir, "power.txt")
	if err != nil {
		return err
	}
	for range steps {
		next := make([]float64, n*n)
		at := func(y, x int) float64 { return t[min(max(y, 0), n-1)*n+min(max(x, 0), n-1)] }
		for i := range next {
			y, x := i/n, i%n
			next[i] = t[i] + step*(power[i]+(at(y-1, x)+at(y+1, x)-2*t[i])/across+
				(at(y, x-1)+at(y, x+1)-2*t[i])/across+(ambient-t[i])/up)
		}
		t = next
	}
	out, err := parsedFile(dir, "ours.txt")
	if err != nil {
		return err
	}
	var found []float64
	for i := 1; i < len(out); i += 2 { // numbers of cells are between
		found = append(found, out[i])
	}
	return close("the temperatures", found, t, 1e-5, 0)
}

// nearest computes the distances of the five records nearest to 30 degrees north and 90 degrees in length, for
// Rodinia's nn.
func nearest(dir string) error {
	db, err := os.ReadFile(filepath.Join(dir, "db"))
	if err != nil {
		return err
	}
	var all []float64
	for l := range strings.Lines(string(db)) {
		at := append(parsed([]byte(l[28:33])), parsed([]byte(l[33:38]))...)
		all = append(all, math.Hypot(at[0]-30, at[1]-90))
	}
	slices.Sort(all)
	log, err := os.ReadFile(filepath.Join(dir, "run.log"))
	if err != nil {
		return err
	}
	var found []float64
	for l := range strings.Lines(string(log)) {
		if _, d, ok := strings.Cut(l, "Distance="); ok {
			found = append(found, parsed([]byte(d))...)
		}
	}
	return close("the distances", found, all[:5], 1e-4, 1e-5)
}

// particles checks each resampling of Rodinia's particlefilter, naive version: particle i becomes the first one whose
// cumulated weight is at least u_i, and the last one where there is none.
func particles(dir string) error {
	c, err := observed(dir)
	if err != nil {
		return err
	}
	if len(c) == 0 || len(c)%8 != 0 {
		return fmt.Errorf("found %d copies, expected eight for a frame", len(c))
	}
	// A frame copies x, y, their new values, the cumulated weights and u to the device, and new y and new x back.
	for ; len(c) > 0; c = c[8:] {
		x, y, sum, u := doubles(c[0].data), doubles(c[1].data), doubles(c[4].data), doubles(c[5].data)
		var wantX, wantY []float64
		for _, v := range u {
			i := slices.IndexFunc(sum, func(s float64) bool { return s >= v })
			if i < 0 {
				i = len(sum) - 1
			}
			wantX, wantY = append(wantX, x[i]), append(wantY, y[i])
		}
		if err := close("new y", doubles(c[6].data), wantY, 0, 0); err != nil {
			return err
		}
		if err := close("new x", doubles(c[7].data), wantX, 0, 0); err != nil {
			return err
		}
	}
	return nil
}

// parsedFile returns the numbers of a text.
func parsedFile(dir, name string) ([]float64, error) {
	text, err := os.ReadFile(filepath.Join(dir, name))
	return parsed(text), err
}
