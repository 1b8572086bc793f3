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
	Aliases []string // other names that Find knows, upper and lower case alike
	Suite   string   // where the application was published
	Summary string
	// Papers has the application's class in each paper that uses it, by the
	// paper's short name (gebhart, sharing, ltrf, finereg, cerf).
	Papers  map[string]string
	Kernels []KernelInfo
	// Outputs names the device buffers that the host program checks in full.
	Outputs []string
	// New makes the host program for a size. It fails for sizes that the
	// application does not have.
	New func(size Size) (host.Program, error)
	// WithArgs makes the application of the name with arguments, name:arguments;
	// nil when it takes none.
	WithArgs func(args string) (*App, error)
}

// KernelInfo describes a kernel of an application.
type KernelInfo struct {
	Name   string // the PTX entry
	Block  [3]int // threads
	Shared int    // bytes per CTA, dynamic ones included, at the study size
	// PaperRegisters is the footprint in registers per thread that the papers
	// print for the published kernel, 0 where they print none.
	PaperRegisters int
}

// Threads per CTA.
func (k *KernelInfo) Threads() int { return k.Block[0] * k.Block[1] * k.Block[2] }

var apps []*App

// Register adds an application; it is called from the init function of the
// application's package. It panics when a name is taken, since that is a
// mistake in the program.
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

// List returns every application that is linked in, by name.
func List() []*App { return slices.Clone(apps) }

// Find returns the application of that name or alias in any case, or nil.
func Find(name string) *App {
	for _, a := range apps {
		if strings.EqualFold(a.Name, name) || slices.ContainsFunc(a.Aliases,
			func(s string) bool { return strings.EqualFold(s, name) }) {
			return a
		}
	}
	return nil
}

// Open returns the application of that name or alias, with arguments where the
// name has them: name:arguments. It returns nil when there is none of that name,
// and an error when the arguments are not right.
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

// PaperRegisters wraps a runner so that the application's kernels run with the
// register footprints that the papers print for them. Kernels without a printed
// footprint keep their own.
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
