package launch

import (
	"strings"

	"github.com/ianlancetaylor/demangle"

	"kumiko/internal/excerpt"
	"kumiko/kernel/ir"
)

// kernelName is the name in the module of the kernel that a launch names: as the
// module has it, or demangled, as C++ declares it, with or without its parameters. It
// is "" where there is none, and where several fit they are returned.
func kernelName(m *ir.Module, name string) (found string, several excerpt.List) {
	var fit []string
	for _, k := range allKernels(m) {
		if k == name {
			return k, nil
		}
		full := demangle.Filter(k)
		if full == k {
			continue
		}
		if spaceless(full) == spaceless(name) || demangle.Filter(k, demangle.NoParams) == name ||
			demangle.Filter(k, demangle.NoParams, demangle.NoTemplateParams) == name {
			fit = append(fit, k)
		}
	}
	switch len(fit) {
	case 0:
		return "", nil
	case 1:
		return fit[0], nil
	}
	for _, k := range fit {
		several = append(several, demangle.Filter(k))
	}
	return "", several
}

// allKernels are the names of a module's kernels, those included that cannot be run.
func allKernels(m *ir.Module) []string {
	var names []string
	for _, k := range m.Kernels {
		names = append(names, k.Name)
	}
	for _, r := range m.Refused {
		names = append(names, r.Kernel)
	}
	return names
}

func spaceless(s string) string { return strings.ReplaceAll(s, " ", "") }
