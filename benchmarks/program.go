package benchmarks

import (
	"encoding/binary"
	"fmt"
	"strings"
	"sync"

	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/ptx"
)

// New returns the constructor of an application's host programs. source is the PTX, sizes the parameters at each
// size, and run the function that runs the program. The PTX is parsed once, at first use.
func New[T any](name string, source []byte, sizes *Sizes[T], run func(*Context, T) error) func(Size) (host.Program,
	error) {
	module := sync.OnceValues(func() (*ir.Module, error) {
		return ptx.Parse("benchmarks/"+folder(name)+"/kernel.ptx", source)
	})
	return func(size Size) (host.Program, error) {
		p, err := sizes.Get(size)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		m, err := module()
		if err != nil {
			return nil, err
		}
		return &program{name, m, func(d *host.Device) error {
			return run(&Context{Device: d, app: name, module: m}, p)
		}}, nil
	}
}

// folder returns the folder of an application: the name in the form of a Go package's, without arguments and
// without the suffix after a dot. Applications in one folder differ by this suffix.
func folder(name string) string {
	if i := strings.IndexAny(name, ":."); i >= 0 {
		name = name[:i]
	}
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(name))
}

type program struct {
	name   string
	module *ir.Module
	run    func(*host.Device) error
}

// Name implements host.Program.
func (p *program) Name() string { return p.name }

// Module returns the application's parsed PTX.
func (p *program) Module() *ir.Module { return p.module }

// Run implements host.Program.
func (p *program) Run(d *host.Device) error { return p.run(d) }

// Context is the environment of an application's run function: the device, the application's module and its seeded
// inputs.
type Context struct {
	*host.Device
	app    string
	module *ir.Module
}

// Dim returns the size of a grid or a CTA. Missing dimensions are 1.
func Dim(n ...int) [3]int {
	d := [3]int{1, 1, 1}
	copy(d[:], n)
	return d
}

// Launch runs a kernel of the application's module.
func (c *Context) Launch(kernel string, grid, block [3]int, args ...host.Arg) error {
	return c.LaunchShared(kernel, grid, block, 0, args...)
}

// LaunchShared is Launch with dynamic shared memory, in bytes.
func (c *Context) LaunchShared(kernel string, grid, block [3]int, shared int, args ...host.Arg) error {
	return c.Device.Launch(&host.Launch{
		Module: c.module, Kernel: kernel, Grid: grid, Block: block, DynShared: shared, Args: args,
	})
}

// CeilDiv returns a/b rounded up.
func CeilDiv(a, b int) int { return (a + b - 1) / b }

// Constant sets the contents of a variable of the module for the following launches, like copying to a symbol.
func (c *Context) Constant(name string, data any) error {
	symbol, err := c.Mem.Symbol(c.module, name)
	if err != nil {
		return err
	}
	if _, err := binary.Encode(symbol, binary.LittleEndian, data); err != nil {
		return fmt.Errorf("variable %s: %w", name, err)
	}
	return nil
}
