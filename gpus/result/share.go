package result

import (
	"maps"
	"slices"

	"kumiko/components/stats"
)

// near is how many previous launches Append compares.
const near = 8

// Append adds a launch to a list. To save memory in programs with many equal launches, counts equal to those of the
// last launch of the same kernel, or of the neighbouring SM, share one map. The maps must not be changed
// afterwards.
func Append(list []Kernel, k Kernel) []Kernel {
	for i := range k.SMs[:max(0, len(k.SMs)-1)] {
		k.SMs[i+1].share(&k.SMs[i])
	}
	for i := len(list) - 1; i >= max(0, len(list)-near); i-- {
		if old := &list[i]; old.Name == k.Name {
			k.share(old)
			break
		}
	}
	return append(list, k)
}

// share makes k refer to the maps of old where both are equal.
func (k *Kernel) share(old *Kernel) {
	same(&k.IssueSlots, old.IssueSlots)
	same(&k.CPIStack, old.CPIStack)
	same(&k.WarpStates, old.WarpStates)
	same(&k.Stats, old.Stats)
	if maps.EqualFunc(k.Distributions, old.Distributions,
		func(a, b []stats.Bucket) bool { return slices.Equal(a, b) }) {
		k.Distributions = old.Distributions
	}
	if len(k.SMs) != len(old.SMs) {
		return
	}
	all := true
	for i := range k.SMs {
		a, b := &k.SMs[i], &old.SMs[i]
		all = a.share(b) && a.SM == b.SM && a.WarpInstructions == b.WarpInstructions &&
			a.ThreadInstructions == b.ThreadInstructions && all
	}
	if all {
		k.SMs = old.SMs
	}
}

// share reports whether both maps were equal.
func (s *SM) share(old *SM) bool {
	slots := same(&s.IssueSlots, old.IssueSlots)
	return same(&s.CPIStack, old.CPIStack) && slots
}

// same sets *m to old if both are equal, and reports whether they are.
func same[V comparable](m *map[string]V, old map[string]V) bool {
	if !maps.Equal(*m, old) {
		return false
	}
	*m = old
	return true
}

// Groups collects the launches that are alike, in the order of their first occurrence.
func Groups(kernels []Kernel, alike func(a, b *Kernel) bool) (out [][]Kernel) {
	for _, k := range kernels {
		i := slices.IndexFunc(out, func(g []Kernel) bool { return alike(&g[0], &k) })
		if i < 0 {
			i = len(out)
			out = append(out, nil)
		}
		out[i] = append(out[i], k)
	}
	return out
}

// SameShape reports whether two launches are of one kernel in one shape.
func SameShape(a, b *Kernel) bool {
	return a.Name == b.Name && a.Grid == b.Grid && a.Block == b.Block && a.RegistersPerThread == b.RegistersPerThread &&
		a.SharedBytes == b.SharedBytes
}
