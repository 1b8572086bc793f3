package emu

import "fmt"

// mostCluster is the largest number of CTAs of a cluster: 8 on every GPU that has clusters, and 16 on an H100 where the
// program allows it (CUDA C++ Programming Guide, thread block clusters).
const mostCluster = 16

// setCluster sets the size of the launch's clusters, by the kernel's directives and the launch, and checks it.
func (l *Launch) setCluster(asked [3]int) (errs []error) {
	add := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	k := l.Prog.k
	l.cluster, l.clustered = [3]int{1, 1, 1}, asked != [3]int{} || k.Cluster != [3]int{} || k.Clustered
	own, given := oneForZero(k.Cluster), oneForZero(asked)
	switch {
	case k.Cluster != [3]int{} && asked != [3]int{} && own != given:
		add("a cluster of %v CTAs, expected %v (.reqnctapercluster)", given, own)
	case k.Cluster != [3]int{}:
		l.cluster = own
	case asked != [3]int{}:
		l.cluster = given
	case k.Clustered:
		add("no size of a cluster, expected one (.explicitcluster): in a launch file cluster = [2, 1, 1]")
	}
	n := l.cluster[0] * l.cluster[1] * l.cluster[2]
	switch {
	case n < 1 || n > mostCluster:
		add("a cluster of %d CTAs, expected 1 to %d", n, mostCluster)
		return errs
	case k.MaxCluster > 0 && n > k.MaxCluster:
		add("a cluster of %d CTAs, expected at most %d (.maxclusterrank)", n, k.MaxCluster)
	}
	for i, axis := range [3]string{"x", "y", "z"} {
		if l.cluster[i] < 1 || l.Grid[i]%l.cluster[i] != 0 {
			add("grid %s is %d, expected a multiple of the %d CTAs of a cluster", axis, l.Grid[i], l.cluster[i])
		}
	}
	return errs
}
