package launch

import (
	"strings"

	"github.com/ianlancetaylor/demangle"

	"kumiko/internal/excerpt"
	"kumiko/kernel/ir"
)

// kernelName returns the name in the module of the kernel named by a launch. The launch may have the module's name,
// or the demangled C++ name, with or without its parameters. found is "" if there is none; if several match, they
// are returned.
func kernelName(m *ir.Module, name string) (found string, several excerpt.List) {
	var fit []string
	for _, k := range allKernels(m) {
		if k == name {
			return k, nil
		}
		if Named(k, name) {
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

// Named reports whether a kernel of a module may be called by the given name: its own, or its demangled C++ name,
// with or without its parameters.
func Named(kernel, name string) bool {
	full := demangle.Filter(kernel)
	return kernel == name || full != kernel && (spaceless(full) == spaceless(name) ||
		demangle.Filter(kernel, demangle.NoParams) == name ||
		demangle.Filter(kernel, demangle.NoParams, demangle.NoTemplateParams) == name)
}

// Shown returns a kernel's name for people: a mangled name demangled, without its parameters.
func Shown(kernel string) string { return demangle.Filter(kernel, demangle.NoParams) }

// allKernels returns the names of a module's kernels, refused ones included.
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
