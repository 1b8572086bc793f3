package launch

import "slices"

// Kernel is a kernel that a launch file launches.
type Kernel struct {
	Name  string
	Block [3]int // threads, of its first launch
}

// Kernels lists the kernels that the file launches, each once, in order.
func (p *Program) Kernels() []Kernel {
	var out []Kernel
	for _, l := range p.launches {
		k := Kernel{Name: l.host.Kernel, Block: l.host.Block}
		if !slices.ContainsFunc(out, func(o Kernel) bool { return o.Name == k.Name }) {
			out = append(out, k)
		}
	}
	return out
}

// Checked lists the buffers that the file compares with what it expects, each once.
func (p *Program) Checked() []string {
	var out []string
	for _, x := range p.expects {
		if !slices.Contains(out, x.buffer.name) {
			out = append(out, x.buffer.name)
		}
	}
	return out
}
