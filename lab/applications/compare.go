//go:build unix

package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
)

// equal compares the numbers of both files.
func (c *comparison) equal(dir string) error {
	ours, err := c.numbers(filepath.Join(dir, c.Ours))
	if err != nil {
		return err
	}
	theirs, err := c.numbers(filepath.Join(dir, c.Theirs))
	if err != nil {
		return err
	}
	return close(c.Ours, ours, theirs, c.Tolerance, c.Absolute)
}

// close compares numbers with those expected. A difference is allowed up to the larger of both bounds.
func close(what string, found, want []float64, relative, absolute float64) error {
	if len(found) != len(want) || len(found) == 0 {
		return fmt.Errorf("%s has %d numbers, expected %d", what, len(found), len(want))
	}
	wrong, first := 0, -1
	for i, v := range found {
		bound := max(absolute, relative*max(math.Abs(v), math.Abs(want[i])))
		if d := math.Abs(v - want[i]); d > bound || math.IsNaN(v) != math.IsNaN(want[i]) {
			if wrong++; first < 0 {
				first = i
			}
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%s: %d of %d numbers differ, the first is %g, expected %g", what, wrong, len(found),
			found[first], want[first])
	}
	return nil
}

var number = regexp.MustCompile(`[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?nan|[-+]?inf`)

// numbers returns the numbers of a file.
func (c *comparison) numbers(file string) (out []float64, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	switch c.Format {
	case "f32":
		for _, v := range floats(text) {
			out = append(out, float64(v))
		}
	case "u16":
		for i := 0; i+2 <= len(text); i += 2 {
			out = append(out, float64(binary.LittleEndian.Uint16(text[i:])))
		}
	case "u8":
		for _, b := range text {
			out = append(out, float64(b))
		}
	case "lines":
		re, err := regexp.Compile("(?m)" + c.Lines)
		if err != nil {
			return nil, err
		}
		for _, l := range re.FindAll(text, -1) {
			out = append(out, parsed(l)...)
		}
	case "text":
		out = parsed(text)
	default:
		return nil, fmt.Errorf("found the format %q", c.Format)
	}
	return out, nil
}

// parsed returns the numbers of a text.
func parsed(text []byte) (out []float64) {
	for _, w := range number.FindAll(text, -1) {
		if v, err := strconv.ParseFloat(string(w), 64); err == nil {
			out = append(out, v)
		}
	}
	return out
}

// floats returns binary numbers of single precision.
func floats(data []byte) []float32 {
	out := make([]float32, len(data)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return out
}

// doubles returns binary numbers of double precision.
func doubles(data []byte) []float64 {
	out := make([]float64, len(data)/8)
	for i := range out {
		out[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
	}
	return out
}
