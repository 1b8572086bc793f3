package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"kumiko/kernel/cubin"
	"kumiko/kernel/ir"
)

// byClass counts the instructions of kernels by timing class.
type byClass map[ir.Class]int

func (c byClass) add(k *ir.Kernel) {
	for i := range k.Insts {
		c[k.Insts[i].T.Class]++
	}
}

// classes returns the table of the named programs, or of all, by timing class, the most frequent of the own code first.
func classes(arch int, names []string) ([][]string, error) {
	code, err := cubin.New(arch)
	if err != nil {
		return nil, err
	}
	own, vendor := byClass{}, byClass{}
	for _, app := range named(names) {
		order, kernels, _, err := run(app, code)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", app.Name, err)
		}
		for _, name := range order {
			own.add(kernels[name].own)
			vendor.add(kernels[name].vendor)
		}
	}
	rows := [][]string{{"class", "instructions, own", fmt.Sprintf("sm_%d", arch), "ratio"}}
	all := maps.Clone(vendor)
	maps.Copy(all, own)
	order := slices.SortedFunc(maps.Keys(all), func(a, b ir.Class) int {
		return cmp.Or(cmp.Compare(own[b], own[a]), cmp.Compare(vendor[b], vendor[a]), cmp.Compare(a, b))
	})
	for _, c := range order {
		ratio := "-"
		if own[c] > 0 {
			ratio = fmt.Sprintf("%.2f", float64(vendor[c])/float64(own[c]))
		}
		rows = append(rows, []string{c.String(), fmt.Sprint(own[c]), fmt.Sprint(vendor[c]), ratio})
	}
	return rows, nil
}
