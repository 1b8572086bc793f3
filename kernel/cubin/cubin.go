// Package cubin runs machine code of NVIDIA's assembler in place of our own compiler's: it makes the kernels of a PTX
// module by ptxas and nvdisasm, for an architecture. Its parts read the listing (listing), give the instructions of a
// family of architectures their meaning (maxwell, volta, with rules in common), and run the two programs (tools).
package cubin

import (
	"fmt"
	"strings"

	"kumiko/kernel/cubin/listing"
	"kumiko/kernel/cubin/maxwell"
	"kumiko/kernel/cubin/rules"
	"kumiko/kernel/cubin/tools"
	"kumiko/kernel/cubin/volta"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
)

// Assembler makes kernels of machine code. It keeps what it has made.
type Assembler struct {
	arch   int
	family *rules.Family
	tools  *tools.Tools
	files  map[*ir.Module]*listing.File
	done   map[*ir.Kernel]*ir.Kernel // by the kernel of the PTX
}

// New returns an assembler for an architecture, 75 for sm_75. Its error is tools.ErrAbsent without NVIDIA's programs.
func New(arch int) (*Assembler, error) {
	family, err := Family(arch)
	if err != nil {
		return nil, err
	}
	t, err := tools.Find()
	if err != nil {
		return nil, err
	}
	return &Assembler{arch: arch, family: family, tools: t, files: map[*ir.Module]*listing.File{},
		done: map[*ir.Kernel]*ir.Kernel{}}, nil
}

// Family returns the front end for an architecture.
func Family(arch int) (*rules.Family, error) {
	var names []string
	for _, f := range []*rules.Family{maxwell.Family, volta.Family} {
		if f.Supports(arch) {
			return f, nil
		}
		names = append(names, f.Names())
	}
	return nil, fmt.Errorf("machine code of sm_%d is not supported, expected %s", arch, strings.Join(names, "; "))
}

// Kernel returns the machine code of a launch's kernel.
func (a *Assembler) Kernel(l *host.Launch) (*ir.Kernel, error) {
	like := l.Module.Kernel(l.Kernel)
	if like == nil {
		return nil, fmt.Errorf("%s has no kernel %q", l.Module.File, l.Kernel)
	}
	if k := a.done[like]; k != nil {
		return k, nil
	}
	f, err := a.file(l.Module)
	if err != nil {
		return nil, err
	}
	k, err := a.family.Kernel(f, l.Kernel, l.Module)
	if err != nil {
		return nil, err
	}
	a.done[like] = k
	return k, nil
}

// file returns the listing of a module.
func (a *Assembler) file(m *ir.Module) (*listing.File, error) {
	if f := a.files[m]; f != nil {
		return f, nil
	}
	if m.Source == nil || m.Linked != nil {
		return nil, fmt.Errorf("%s: machine code is made of single PTX files only", m.File)
	}
	text, err := a.tools.Listing(a.arch, m.Source.Text)
	if err != nil {
		return nil, fmt.Errorf("%s for sm_%d: %w", m.File, a.arch, err)
	}
	f, err := listing.Read(fmt.Sprintf("%s (nvdisasm, sm_%d)", m.File, a.arch), text)
	if err != nil {
		return nil, err
	}
	a.files[m] = f
	return f, nil
}
