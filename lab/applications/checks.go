//go:build unix

package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
)

// checks are the computations here, for programs that neither check their results nor have a program for the CPU with
// an output. The argument is the folder of a program that has run.
var checks = map[string]func(dir string) error{"passed": passed, "backprop": backprop, "gaussian": gaussian,
	"wavelet": wavelet, "kmeans": kmeans, "hotspot": hotspot, "nearest": nearest, "particles": particles,
	"libor": libor}

// copied is a copy between host and device, as observe.h writes it.
type copied struct {
	back bool // from the device
	data []byte
}

// observed returns the copies of a program, in order.
func observed(dir string) (out []copied, err error) {
	text, err := os.ReadFile(filepath.Join(dir, "observed.bin"))
	if err != nil {
		return nil, err
	}
	for len(text) > 0 {
		if len(text) < 16 || uint64(len(text)-16) < binary.LittleEndian.Uint64(text[8:]) {
			return nil, fmt.Errorf("observed.bin is cut off")
		}
		n := 16 + int(binary.LittleEndian.Uint64(text[8:]))
		out = append(out, copied{binary.LittleEndian.Uint64(text) == 2, text[16:n]})
		text = text[n:]
	}
	return out, nil
}

// passed looks at the output of mri-gridding: whether its own comparison with the CPU found no difference.
func passed(dir string) error {
	out, err := os.ReadFile(filepath.Join(dir, "ours"))
	if err != nil {
		return err
	}
	if len(out) != 4 || binary.LittleEndian.Uint32(out) != 1 {
		return fmt.Errorf("its comparison with the CPU, %v, has found a difference", out)
	}
	return nil
}

// backprop computes the sums of the hidden layer and the new weights of Rodinia's backprop. With inputs x_1 to x_n, 16
// hidden units and weights w_ij, the partial sums over 16 inputs each are of x_i w_ij. The change of a weight is
// 0.3 delta_j x_i + 0.3 times the change before.
func backprop(dir string) error {
	c, err := observed(dir)
	if err != nil {
		return err
	}
	if len(c) != 8 {
		return fmt.Errorf("found %d copies, expected 8", len(c))
	}
	const hidden = 16
	x, w, sums := floats(c[0].data), floats(c[1].data), floats(c[2].data)
	delta, before, again := floats(c[3].data), floats(c[4].data), floats(c[5].data)
	n := len(x) - 1
	found, want := []float64{}, make([]float64, n)
	for i := 1; i <= n; i++ {
		for j := 1; j <= hidden; j++ {
			want[(i-1)/16*hidden+j-1] += float64(x[i]) * float64(w[i*(hidden+1)+j])
		}
	}
	for _, v := range sums[:n] {
		found = append(found, float64(v))
	}
	if err := close("the partial sums", found, want, 1e-4, 1e-5); err != nil {
		return err
	}
	found, want = nil, nil
	for k, v := range floats(c[7].data) {
		i, j, change := k/(hidden+1), k%(hidden+1), 0.0
		if j > 0 {
			x := float64(x[i])
			if i == 0 {
				x = 1 // the bias
			}
			change = 0.3*float64(delta[j])*x + 0.3*float64(before[k])
		}
		found, want = append(found, float64(v)), append(want, float64(again[k])+change)
	}
	return close("the weights", found, want, 1e-4, 1e-5)
}

// gaussian compares the triangular matrix and the right side that Rodinia's gaussian leaves with elimination in double
// precision.
func gaussian(dir string) error {
	c, err := observed(dir)
	if err != nil {
		return err
	}
	if len(c) != 6 {
		return fmt.Errorf("found %d copies, expected 6", len(c))
	}
	a, b := wide(floats(c[1].data)), wide(floats(c[2].data))
	n := len(b)
	for t := range n - 1 {
		for i := t + 1; i < n; i++ {
			f := a[i*n+t] / a[t*n+t]
			for j := t; j < n; j++ {
				a[i*n+j] -= f * a[t*n+j]
			}
			b[i] -= f * b[t]
		}
	}
	found := wide(floats(c[4].data))
	if err := close("the matrix", found, a, 1e-3, 1e-3); err != nil {
		return err
	}
	return close("the right side", wide(floats(c[5].data)), b, 1e-3, 1e-3)
}

func wide(list []float32) []float64 {
	out := make([]float64, len(list))
	for i, v := range list {
		out[i] = float64(v)
	}
	return out
}
