package intervals

import "slices"

// Merge joins intervals (algorithm 2) until nothing changes. An interval with a single other interval as
// predecessor joins it, if the two working sets together have at most limit registers. The first interval, with the
// entry, joins none.
func Merge(list []Interval, limit int) []Interval {
	into := make([]int, len(list)) // where each interval went
	for i := range into {
		into[i] = i
	}
	for changed := true; changed; {
		changed = false
		for h := 1; h < len(list); h++ {
			if into[h] != h || len(list[h].Preds) != 1 {
				continue
			}
			v := list[h].Preds[0]
			if w := list[v].Registers.Or(list[h].Registers); w.Len() > limit {
				continue
			}
			join(list, v, h)
			into[h] = v
			changed = true
		}
	}
	return compact(list, into)
}

// join adds interval h to v, its only predecessor.
func join(list []Interval, v, h int) {
	a, b := &list[v], &list[h]
	a.Pieces = append(a.Pieces, b.Pieces...)
	a.Registers = a.Registers.Or(b.Registers)
	a.Succs = remove(a.Succs, h)
	for _, s := range b.Succs {
		list[s].Preds = remove(list[s].Preds, h)
		if s != v {
			a.Succs = insert(a.Succs, s)
			list[s].Preds = insert(list[s].Preds, v)
		}
	}
	b.Preds, b.Succs = nil, nil
}

func remove(list []int, x int) []int {
	if i, found := slices.BinarySearch(list, x); found {
		return slices.Delete(slices.Clone(list), i, i+1)
	}
	return list
}

// compact renumbers the remaining intervals.
func compact(list []Interval, into []int) []Interval {
	number := make([]int, len(list))
	var out []Interval
	for i := range list {
		number[i] = len(out)
		if into[i] == i {
			out = append(out, list[i])
		}
	}
	for i := range out {
		for _, l := range [][]int{out[i].Preds, out[i].Succs} {
			for j := range l {
				l[j] = number[l[j]]
			}
		}
	}
	return out
}

// Build forms register-intervals and merges them.
func Build(g *Graph, limit int) ([]Interval, error) {
	list, err := Form(g, limit)
	if err != nil {
		return nil, err
	}
	return Merge(list, limit), nil
}
