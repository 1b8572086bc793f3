package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// measured is a file of measurements, with the conversion of its rows to instruction sequences.
type measured struct {
	file    string
	pattern *regexp.Regexp
	text    func(m []string) string
}

// chip is a chip with files of measurements, with the GPU and the number of warps used to simulate them.
type chip struct {
	gpu   string
	warps int
	files []measured
}

// maxwellBanks are measurements on a GPU of compute capability 5.0 (CuAssembler, TestData/microbench/RegBank).
var maxwellBanks = chip{"gtx980-sm52", 1, []measured{
	{"res_BankConflictComb.txt",
		regexp.MustCompile(`(?m)\[(\d{4}),(\d{4}),(\d{4})\] \(.*?\):\s*[\d.]+ \(\s*([\d.]+)\)`), ofPatterns},
	{"res_ReuseBankConflict.txt",
		regexp.MustCompile(`(?m)^\(R(\d+)\s*, R(\d+)\s*, "(.)(.)"\):\s*[\d.]+ \(\s*([\d.]+)\)`), ofPair},
}}

// ampereBanks are measurements on an RTX 3060, compute capability 8.6 (AmpereArchViaMicroBenchMark 6f45ffd): cycles of
// a group of four multiply-adds. The register file was built without them.
var ampereBanks = chip{"rtx-a6000", 16, []measured{
	{"res_ReuseBankConflict.txt",
		regexp.MustCompile(`(?m)^\(R(\d+)\s*, R(\d+)\s*, "(.)(.)"\):\s*[\d.]+ \(\s*([\d.]+)\)`), ofGroup},
}}

// ofPatterns returns six instructions from three in rotation. A row gives, for each, the number of registers read
// from each bank.
func ofPatterns(m []string) string {
	var lines []string
	for i := range 6 {
		var regs []string
		for b, c := range m[1+i%3] {
			for k := range int(c - '0') {
				regs = append(regs, fmt.Sprintf("R%d", 24+4*k+b))
			}
		}
		op := map[int]string{1: "MOV", 2: "FADD", 3: "FFMA"}[len(regs)]
		lines = append(lines, fmt.Sprintf("%s R%d, %s;", op, 18+i, strings.Join(regs, ", ")))
	}
	return worded(lines...)
}

// flagged returns a register's name, with a reuse flag if flag is "R".
func flagged(reg, flag string) string {
	if flag == "R" {
		return "R" + reg + ".reuse"
	}
	return "R" + reg
}

// ofGroup returns four instructions that read two registers, with or without reuse flags, and R5 or R16.
func ofGroup(m []string) string {
	a, b := flagged(m[1], m[3]), flagged(m[2], m[4])
	lines := []string{fmt.Sprintf("FFMA R5, %s, %s, R5;", a, b)}
	for i := range 3 {
		lines = append(lines, fmt.Sprintf("FFMA R%d, %s, %s, R16;", 20+i, a, b))
	}
	return worded(lines...)
}

// ofPair returns six instructions that read two registers, with or without reuse flags, and R16.
func ofPair(m []string) string {
	var lines []string
	for i := range 6 {
		third := "R16"
		if i == 0 {
			third = "R4" // in the same bank as the original's operand, the instruction's own result
		}
		a, b := flagged(m[1], m[3]), flagged(m[2], m[4])
		lines = append(lines, fmt.Sprintf("FFMA R%d, %s, %s, %s;", 18+i, a, b, third))
	}
	return worded(lines...)
}

// Row is a measurement with the simulated value.
type Row struct {
	File      string  `json:"file"`
	Name      string  `json:"name"`
	Measured  float64 `json:"measured"`
	Simulated float64 `json:"simulated"`
	Link      string  `json:"link"` // of the row in the page's table
}

// rows simulates a chip's measurements in a folder. If the files are missing, the error is the file system's.
func (c *chip) rows(dir string, done func()) ([]Row, error) {
	var out []Row
	for _, f := range c.files {
		data, err := os.ReadFile(filepath.Join(dir, f.file))
		if err != nil {
			return nil, err
		}
		found := f.pattern.FindAllStringSubmatch(string(data), -1)
		if len(found) == 0 {
			return nil, fmt.Errorf("%s: found no measurement, expected lines such as those of CuAssembler", f.file)
		}
		for _, m := range found {
			want, err := strconv.ParseFloat(m[len(m)-1], 64)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.file, err)
			}
			name := strings.Join(m[1:len(m)-1], ",")
			x := Case{Name: name, GPU: c.gpu, Text: f.text(m), Warps: c.warps}
			got, err := x.Run()
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", f.file, name, err)
			}
			out = append(out, Row{File: f.file, Name: name, Measured: want, Simulated: got})
			done()
		}
	}
	return out, nil
}
