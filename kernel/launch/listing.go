package launch

import (
	"slices"

	"kumiko/kernel/host"
)

// Kernel is a kernel launched by a launch file.
type Kernel struct {
	Name string
	// First is the kernel's first launch in the file.
	First *host.Launch
}

// Kernels lists the kernels launched by the file, each once, in order.
func (p *Program) Kernels() []Kernel {
	var out []Kernel
	for _, l := range p.launches {
		k := Kernel{Name: l.host.Kernel, First: &l.host}
		if !slices.ContainsFunc(out, func(o Kernel) bool { return o.Name == k.Name }) {
			out = append(out, k)
		}
	}
	return out
}

// Checked lists the buffers with expected contents, each once.
func (p *Program) Checked() []string {
	var out []string
	for _, x := range p.expects {
		if !slices.Contains(out, x.buffer.name) {
			out = append(out, x.buffer.name)
		}
	}
	return out
}
