package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"kumiko/gpus/config"
	"kumiko/gpus/probe"
	"kumiko/kernel/cuasm"
)

// stridesFolder has the files of the strided loads.
const stridesFolder = "gpu-benches/gpu-strides"

// strides are the files of te42kyfo/gpu-benches, gpu-strides. A row has the stride between the lanes of a warp, in
// floats or doubles, and the cycles of a load that hits the L1. gpu is the GPU with the chip's L1. Rows of doubles
// below bound cycles are left out: additions bind them, and are not simulated.
var strides = []struct {
	file, gpu string
	bound     float64
}{{"a40.txt", "rtx-a6000", 8.5}, {"a100.txt", "h100", 0}, {"h200.txt", "h100", 0}}

var strideRow = regexp.MustCompile(`(?m)^(float|double) stride +(\d+) +\d+ +([\d.]+)`)

// widths has the load of each type and its bytes.
var widths = map[string]struct {
	op    string
	bytes int
}{"float": {"LDG.E", 4}, "double": {"LDG.E.64", 8}}

// strideRows simulates the wanted measurements of a folder. Its error is the file system's where there
// are none.
func strideRows(dir string, done func(), want func(kind string, stride int) bool) ([]Row, error) {
	var out []Row
	for _, f := range strides {
		data, err := os.ReadFile(filepath.Join(dir, f.file))
		if err != nil {
			return nil, err
		}
		for _, m := range strideRow.FindAllStringSubmatch(string(data), -1) {
			stride, err := strconv.Atoi(m[2])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.file, err)
			}
			cycles, err := strconv.ParseFloat(m[3], 64)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.file, err)
			}
			if !want(m[1], stride) || m[1] == "double" && cycles < f.bound {
				continue
			}
			got, err := stridedLoad(f.gpu, m[1], stride)
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", f.file, m[0], err)
			}
			out = append(out, Row{f.file, fmt.Sprintf("%s %d", m[1], stride), cycles, got})
			done()
		}
	}
	return out, nil
}

// stridedLoad is the cycles of a load of an SM, of 16 warps with four loads each under way.
func stridedLoad(gpu, kind string, stride int) (float64, error) {
	w := widths[kind]
	text := ""
	for _, r := range []int{8, 12, 16, 20} {
		text += fmt.Sprintf("%s R%d, [R2.64];\n", w.op, r)
	}
	list, err := cuasm.Read(kind, []byte(text))
	if err != nil {
		return 0, err
	}
	code := list[0].Insts
	cfg, err := config.Load(config.Request{GPU: gpu, Set: probe.Settings(code)})
	if err != nil {
		return 0, err
	}
	if code, _, err = probe.Words(cfg, code, nil, probe.OfGPU); err != nil {
		return 0, err
	}
	apart := stride * w.bytes
	spec := probe.Spec{Warps: 16, Repeat: 30, Stride: &apart, Fitted: true, File: kind}
	r, err := probe.Run(cfg, code, strings.Split(text, "\n"), spec)
	if err != nil {
		return 0, err
	}
	const loads, subCores = 4, 4
	return r.Cycles / loads / subCores, nil
}
