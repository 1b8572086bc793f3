package result

import (
	"maps"
	"slices"

	"kumiko/components/stats"
)

// near is how many launches back Append looks for an equal one.
const near = 8

// Append adds a launch to a list. What it has counted alike with the last launch
// of the same kernel, or in one SM and the next, is kept in memory once, so that
// a kernel which is launched again and again needs little. Nobody may change the
// maps afterwards.
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

// share lets k refer to what old has where both are equal.
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

// same lets *m be old if they are equal, and reports that.
func same[V comparable](m *map[string]V, old map[string]V) bool {
	if !maps.Equal(*m, old) {
		return false
	}
	*m = old
	return true
}
