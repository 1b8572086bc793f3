package benchmarks

import (
	"fmt"
	"slices"
	"strings"

	"kumiko/kernel/host"
)

// App is an application.
type App struct {
	Name    string
	Aliases []string // other names accepted by Find, in any case
	Suite   string   // where the application was published
	Summary string
	// Papers has the application's class in each paper using it, by the paper's short name (gebhart, sharing, ltrf,
	// finereg, cerf).
	Papers  map[string]string
	Kernels []KernelInfo
	// Outputs names the device buffers checked in full by the host program.
	Outputs []string
	// New returns the host program for a size. It fails for sizes not offered by the application.
	New func(size Size) (host.Program, error)
	// WithArgs returns the application with arguments, named name:arguments; nil if the application accepts none.
	WithArgs func(args string) (*App, error)
}

// KernelInfo describes a kernel of an application.
type KernelInfo struct {
	Name   string // the PTX entry
	Block  [3]int // threads
	Shared int    // bytes per CTA, dynamic ones included, at the study size
	// PaperRegisters is the footprint of the published kernel in registers per thread, as printed in the papers; 0
	// if none is printed.
	PaperRegisters int
}

// Threads returns the number of threads per CTA.
func (k *KernelInfo) Threads() int { return k.Block[0] * k.Block[1] * k.Block[2] }

var apps []*App

// Register adds an application. The init function of the application's package calls it. It panics if a name is
// already used, since this is a mistake in the program.
func Register(a *App) {
	for _, name := range append([]string{a.Name}, a.Aliases...) {
		if b := Find(name); b != nil {
			panic(fmt.Sprintf("benchmarks: %q is the name of %s and of %s", name, b.Name, a.Name))
		}
	}
	apps = append(apps, a)
	slices.SortFunc(apps, func(x, y *App) int {
		return strings.Compare(strings.ToLower(x.Name),
			strings.ToLower(y.Name))
	})
}

// List returns every linked application, by name.
func List() []*App { return slices.Clone(apps) }

// Find returns the application with the given name or alias, in any case, or nil.
func Find(name string) *App {
	for _, a := range apps {
		if strings.EqualFold(a.Name, name) || slices.ContainsFunc(a.Aliases,
			func(s string) bool { return strings.EqualFold(s, name) }) {
			return a
		}
	}
	return nil
}

// Open returns the application with the given name or alias and, for a name:arguments, with arguments. It returns
// nil if no application has the name, and an error for wrong arguments.
func Open(name string) (*App, error) {
	base, args, has := strings.Cut(name, ":")
	a := Find(base)
	if a == nil || !has {
		return a, nil
	}
	if a.WithArgs == nil {
		return nil, fmt.Errorf("%s: %s takes no arguments, found %q", name, a.Name, args)
	}
	b, err := a.WithArgs(args)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}

// Printed reports whether the papers print the footprint of a kernel.
func (a *App) Printed() bool {
	return slices.ContainsFunc(a.Kernels, func(k KernelInfo) bool { return k.PaperRegisters != 0 })
}

// PaperRegisters wraps a runner so that the application's kernels run with the register footprints printed in the
// papers. Kernels without a printed footprint keep their own.
func (a *App) PaperRegisters(r host.Runner) host.Runner {
	return &paperRunner{app: a, inner: r}
}

type paperRunner struct {
	app   *App
	inner host.Runner
}

// Launch implements host.Runner.
func (p *paperRunner) Launch(l *host.Launch) error {
	for i := range p.app.Kernels {
		if k := &p.app.Kernels[i]; k.Name == l.Kernel && k.PaperRegisters != 0 && l.Registers == 0 {
			own := *l
			own.Registers = k.PaperRegisters
			return p.inner.Launch(&own)
		}
	}
	return p.inner.Launch(l)
}
