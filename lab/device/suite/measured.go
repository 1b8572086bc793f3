package suite

import (
	"archive/zip"
	"bytes"
	"embed"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"sync"
)

// Chip is a measured chip. GPU is the simulated GPU compared with the chip.
type Chip struct {
	Name, GPU string
	Code      string // the architecture of NVIDIA's machine code for it
	Doc       string // of the chip, its driver and its compiler
}

// Chips lists the chips with measurements in this package.
var Chips = []Chip{
	{"h100", "h100", "sm_90",
		"NVIDIA H100 80GB HBM3, driver 580.159.04, CUDA 13.0, Nsight Compute 2025.3.1, on 2026-11-26"},
	{"h200", "h200", "sm_90", "NVIDIA H200, driver 580.159.04, CUDA 13.0, Nsight Compute 2025.3.1, on 2026-11-26"},
}

//go:embed data
var data embed.FS

// Files returns the measurements of a chip: loops.csv, memory.csv, launches.csv and outputs.csv, and the machine
// code of the loops in the folders loops and launched.
func (c *Chip) Files() fs.FS { return chipFiles(c.Name) }

// chipFiles is the folder of a chip's data. The machine code of the loops is shared by all chips.
type chipFiles string

// Open implements fs.FS.
func (c chipFiles) Open(name string) (fs.File, error) {
	for folder, listings := range archives {
		if file, ok := strings.CutPrefix(name, folder); ok {
			z, err := listings()
			if err != nil {
				return nil, err
			}
			return z.Open(file)
		}
	}
	return data.Open(path.Join("data", string(c), name))
}

// archives are the loops' listings by nvdisasm -hex, for compute capability 9.0. The measured code is in loops, without
// directives. That of loops which are launched was not kept. In launched is ptxas 11.8's of the same PTX, with the
// number of passes as a parameter.
var archives = map[string]func() (*zip.Reader, error){"loops/": archive("loops"), "launched/": archive("launched")}

func archive(name string) func() (*zip.Reader, error) {
	return sync.OnceValues(func() (*zip.Reader, error) {
		z, err := data.ReadFile("data/" + name + ".zip")
		if err != nil {
			return nil, err
		}
		return zip.NewReader(bytes.NewReader(z), int64(len(z)))
	})
}

// The files of a measurement, and their columns.
const (
	LoopsFile     = "loops.csv"
	MemoryFile    = "memory.csv"
	LaunchesFile  = "launches.csv"
	OutputsFile   = "outputs.csv"
	RegistersFile = "registers.csv"
)

var columns = map[string][]string{
	LoopsFile:     {"row", "warps", "passes", "cycles"},
	MemoryFile:    {"kind", "row", "value"},
	RegistersFile: {"kind", "cycles_1", "cycles_8", "cycles_16", "sequence"},
	LaunchesFile:  {"program", "launch", "kernel", "cycles", "warp_instructions", "registers", "mhz"},
	OutputsFile:   {"program", "words", "differ", "relative"},
}

// table is a file of measurements.
type table struct {
	file string
	rows [][]string
	at   [][][2]int // line and column of each field
}

// read reads a file of measurements. Errors have the line and the column.
func read(dir fs.FS, file string) (*table, error) {
	f, err := dir.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c := csv.NewReader(f)
	want := columns[file]
	c.FieldsPerRecord = len(want)
	t := &table{file: file}
	for first := true; ; first = false {
		row, err := c.Read()
		var wrong *csv.ParseError
		switch {
		case errors.Is(err, io.EOF) && first:
			return nil, fmt.Errorf("%s:1:1: found the end of the file, expected %s", file, strings.Join(want, ","))
		case errors.Is(err, io.EOF):
			return t, nil
		case errors.As(err, &wrong):
			return nil, fmt.Errorf("%s:%d:%d: found %d fields (%v), expected %d", file, wrong.Line, wrong.Column,
				len(row), wrong.Err, len(want))
		case err != nil:
			return nil, err
		}
		places := make([][2]int, len(row))
		for i := range row {
			places[i][0], places[i][1] = c.FieldPos(i)
		}
		if !first {
			t.rows, t.at = append(t.rows, row), append(t.at, places)
			continue
		}
		for i := range row {
			if row[i] != want[i] {
				return nil, fmt.Errorf("%s:%d:%d: found %q, expected %s", file, places[i][0], places[i][1], row[i],
					want[i])
			}
		}
	}
}

// bad returns an error about a field.
func (t *table) bad(row, column int, want string) error {
	at := t.at[row][column]
	return fmt.Errorf("%s:%d:%d: found %q, expected %s", t.file, at[0], at[1], t.rows[row][column], want)
}

// number returns a field as a positive number.
func (t *table) number(row, column int) (float64, error) {
	n, err := strconv.ParseFloat(t.rows[row][column], 64)
	if err != nil || !(n > 0) {
		return 0, t.bad(row, column, "a positive number")
	}
	return n, nil
}

// count returns a field as a whole number, 0 or more.
func (t *table) count(row, column int) (int, error) {
	n, err := strconv.Atoi(t.rows[row][column])
	if err != nil || n < 0 {
		return 0, t.bad(row, column, "a whole number")
	}
	return n, nil
}
