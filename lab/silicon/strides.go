package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"kumiko/gpus/probe"
)

// stridesFolder is the folder of the strided loads' files.
const stridesFolder = "gpu-benches/gpu-strides"

// strides are the files of te42kyfo/gpu-benches, gpu-strides. A row has the stride between the lanes of a warp, in
// floats or doubles, and the cycles of a load that hits the L1. gpu is the simulated GPU with the chip's L1. Rows
// of doubles below bound cycles are left out: they are limited by additions, which are not simulated.
var strides = []struct {
	file, gpu string
	bound     float64
}{{"a40.txt", "rtx-a6000", 8.5}, {"a100.txt", "h100", 0}, {"h200.txt", "h100", 0}}

// strideRow matches a row: a stride, or blocks of lanes, each block beginning apart elements after the previous
// one.
var strideRow = regexp.MustCompile(`(?m)^(float|double) (stride|block) +(\d+) +(\d+) +([\d.]+)`)

// widths maps each type to its load instruction and its size in bytes.
var widths = map[string]struct {
	op    string
	bytes int
}{"float": {"LDG.E", 4}, "double": {"LDG.E.64", 8}}

// access is the access pattern of a warp's lanes.
type access struct {
	kind  string // of the elements: float or double
	apart int    // elements from a lane to the next, or from a block to the next
	block int    // lanes side by side; 0: none
}

// String returns the name of the access's row.
func (a access) String() string {
	if a.block > 0 {
		return fmt.Sprintf("%s blocks of %d", a.kind, a.block)
	}
	return fmt.Sprintf("%s %d", a.kind, a.apart)
}

// accessOf returns the access pattern of a row.
func accessOf(m []string) (access, error) {
	n, err := strconv.Atoi(m[3])
	if err != nil || m[2] == "stride" {
		return access{kind: m[1], apart: n}, err
	}
	apart, err := strconv.Atoi(m[4])
	return access{m[1], apart, n}, err
}

// strideRows simulates the wanted measurements of a folder. If the files are missing, the error is the file
// system's.
func strideRows(dir string, done func(), want func(access) bool) ([]Row, error) {
	var out []Row
	for _, f := range strides {
		data, err := os.ReadFile(filepath.Join(dir, f.file))
		if err != nil {
			return nil, err
		}
		for _, m := range strideRow.FindAllStringSubmatch(string(data), -1) {
			a, err := accessOf(m)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.file, err)
			}
			cycles, err := strconv.ParseFloat(m[5], 64)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.file, err)
			}
			if !want(a) || a.kind == "double" && cycles < f.bound {
				continue
			}
			got, err := a.cycles(f.gpu)
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", f.file, m[0], err)
			}
			out = append(out, Row{File: f.file, Name: a.String(), Measured: cycles, Simulated: got})
			done()
		}
	}
	return out, nil
}

// cycles returns the cycles per load of an SM, with 16 warps and four outstanding loads in each.
func (a access) cycles(gpu string) (float64, error) {
	w := widths[a.kind]
	var lines []string
	for _, r := range []int{8, 12, 16, 20} {
		lines = append(lines, fmt.Sprintf("%s R%d, [R2.64];", w.op, r))
	}
	apart := a.apart * w.bytes
	const lanes = 32
	r, err := probed(gpu, lines, probe.Spec{Warps: 16, Repeat: 30, Stride: &apart, Block: min(a.block, lanes),
		File: a.kind})
	if err != nil {
		return 0, err
	}
	const loads, subCores = 4, 4
	return r.Cycles / loads / subCores, nil
}
