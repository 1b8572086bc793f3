// Package cubin runs machine code of NVIDIA's assembler in place of our own compiler's: it makes the kernels of a PTX
// module by ptxas and nvdisasm, for an architecture. Its parts read the listing (listing), give the instructions of a
// family of architectures their meaning (maxwell, volta, with rules in common), keep the listings of the built-in
// programs (packed), and run the two programs (tools). What the timing model needs beside the meaning comes from the
// same listing by kernel/cuasm.
package cubin

import (
	"fmt"
	"strings"

	"kumiko/kernel/cubin/maxwell"
	"kumiko/kernel/cubin/rules"
	"kumiko/kernel/cubin/volta"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
)

// families are those whose code is understood.
var families = []*rules.Family{maxwell.Family, volta.Family}

// Family returns the front end for an architecture.
func Family(arch int) (*rules.Family, error) {
	var names []string
	for _, f := range families {
		if f.Supports(arch) {
			return f, nil
		}
		names = append(names, f.Names())
	}
	return nil, fmt.Errorf("machine code of sm_%d is not supported, expected %s", arch, strings.Join(names, "; "))
}

// Supports reports whether the code of an architecture is understood.
func Supports(arch int) bool {
	_, err := Family(arch)
	return err == nil
}

// Assembler makes kernels of machine code. It keeps what it has made.
type Assembler struct {
	arch int
	done map[*ir.Kernel]*ir.Kernel // by the kernel of the PTX
}

// New returns an assembler for an architecture, 75 for sm_75.
func New(arch int) (*Assembler, error) {
	if _, err := Family(arch); err != nil {
		return nil, err
	}
	return &Assembler{arch: arch, done: map[*ir.Kernel]*ir.Kernel{}}, nil
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
	c, err := Compile(Request{Arch: a.arch, Module: l.Module, Kernel: l.Kernel})
	if err != nil {
		return nil, err
	}
	a.done[like] = c.Kernel
	return c.Kernel, nil
}
