package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	instruction = regexp.MustCompile(`(?:@!?U?P\w+\s+)?\b([A-Z][A-Z0-9_.]+)\s*([^;]*);`)
	register    = regexp.MustCompile(`\bR(\d+)\b`)
	control     = regexp.MustCompile(`\[B[^\]]*\]`)
	escape      = regexp.MustCompile(`\\(.)`)
)

// sassInst has the registers written and read by an instruction.
type sassInst struct {
	load bool
	dst  []int
	src  []int
}

// sassDistances returns the load-to-use distances in a graph of nvdisasm -cfg or in CuAssembler's notation.
func sassDistances(text string) []float64 {
	text = strings.ReplaceAll(control.ReplaceAllString(text, ""), `\l`, "\n")
	text = escape.ReplaceAllString(text, "$1")
	var out []float64
	var run []sassInst
	end := func() {
		for i := range run {
			if n := firstUse(run[i:]); run[i].load && n > 0 {
				out = append(out, float64(n))
			}
		}
		run = run[:0]
	}
	for _, line := range strings.Split(text, "\n") {
		m := instruction.FindStringSubmatch(line)
		if m == nil {
			if s := strings.TrimSpace(line); strings.HasPrefix(s, ".L") || strings.HasPrefix(s, "|<exit") {
				end()
			}
			continue
		}
		run = append(run, decode(m[1], strings.Split(m[2], ",")))
		switch op, _, _ := strings.Cut(m[1], "."); op {
		case "BRA", "EXIT", "BRK", "SYNC", "RET", "CAL", "JMP":
			end()
		}
	}
	end()
	return out
}

// firstUse returns the distance from the first instruction of a list to the first reader of its result, or 0.
func firstUse(list []sassInst) int {
	for j := 1; j < len(list); j++ {
		for _, s := range list[j].src {
			if slices.Contains(list[0].dst, s) {
				return j
			}
		}
	}
	return 0
}

var (
	loads  = regexp.MustCompile(`^LD[GSL]?(\.|$)`)
	writes = regexp.MustCompile(`^(ST|BRA|EXIT|RED|BAR|SSY|SYNC)`)
)

func decode(op string, operands []string) sassInst {
	in := sassInst{load: loads.MatchString(op)}
	for i, o := range operands {
		for _, m := range register.FindAllStringSubmatch(o, -1) {
			n, err := strconv.Atoi(m[1])
			switch {
			case err != nil:
			case i > 0 || writes.MatchString(op):
				in.src = append(in.src, n)
			default:
				for w := range width(op) {
					in.dst = append(in.dst, n+w)
				}
			}
		}
	}
	return in
}

// width returns the number of registers written by a load.
func width(op string) int {
	switch {
	case strings.Contains(op, ".128"):
		return 4
	case strings.Contains(op, ".64"):
		return 2
	}
	return 1
}
