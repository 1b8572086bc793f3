package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// columns of measured.csv.
var columns = []string{"device", "sm", "row", "warps", "passes", "cycles"}

// measurement is a run on a device.
type measurement struct {
	device string
	row    string
	warps  int
	cycles float64 // of a pass
}

// read reads measurements. Errors have the line and the column.
func read(file string, r io.Reader) ([]measurement, error) {
	c := csv.NewReader(r)
	c.FieldsPerRecord = len(columns)
	bad := func(i int, found, want string) error {
		line, col := c.FieldPos(i)
		return fmt.Errorf("%s:%d:%d: found %q, expected %s", file, line, col, found, want)
	}
	known := Rows()
	var out []measurement
	for first := true; ; first = false {
		f, err := c.Read()
		var wrong *csv.ParseError
		switch {
		case errors.Is(err, io.EOF) && first:
			return nil, fmt.Errorf("%s:1:1: found the end of the file, expected %s", file, strings.Join(columns, ","))
		case errors.Is(err, io.EOF):
			return out, nil
		case errors.As(err, &wrong):
			return nil, fmt.Errorf("%s:%d:%d: found %d fields (%v), expected %d", file, wrong.Line, wrong.Column,
				len(f), wrong.Err, len(columns))
		case err != nil:
			return nil, err
		}
		if first {
			for i := range f {
				if f[i] != columns[i] {
					return nil, bad(i, f[i], columns[i])
				}
			}
			continue
		}
		m := measurement{device: f[0], row: f[2]}
		if !slices.ContainsFunc(known, func(r Row) bool { return r.Name == m.row }) {
			return nil, bad(2, m.row, "the name of a row")
		}
		var n [6]int
		for _, i := range []int{1, 3, 4, 5} {
			if n[i], err = strconv.Atoi(f[i]); err != nil || n[i] < 1 {
				return nil, bad(i, f[i], "a positive number")
			}
		}
		m.warps, m.cycles = n[3], float64(n[5])/float64(n[4])
		out = append(out, m)
	}
}
