package launch

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"kumiko/internal/tomldoc"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
)

// Program is a launch file as a host program.
type Program struct {
	name     string
	modules  []namedModule // in the order of their variables
	buffers  map[string]*buffer
	order    []*buffer // as in the file
	textures []*boundTexture
	steps    []step
	launches []*launch // of all steps
	expects  []*expectation
	saves    []save
	results  []Expect
	saved    [][]byte // contents of the saves, the device's own
	joins    bool     // the host has waited for all launches so far: it has written or read memory
}

var _ host.Program = (*Program)(nil)

// Name returns the launch file's path.
func (p *Program) Name() string { return p.name }

// Main returns the module of the program's own file, linked with the others where one wants names of another.
func (p *Program) Main() *ir.Module { return p.modules[0].Module }

// Files returns the PTX files named by the launch file.
func (p *Program) Files() []string {
	var out []string
	for _, m := range p.modules[1:] {
		out = append(out, m.File)
	}
	return out
}

// Expects returns the outcomes of the [[expect]] tables, in the order of the file, once Run has reached them.
func (p *Program) Expects() []Expect { return p.results }

// Run fills the buffers, launches the kernels and compares the results. Its error begins with the place of the
// failure in the file. The error for the first wrong buffer wraps a *host.CheckError.
func (p *Program) Run(d *host.Device) error {
	p.results, p.saved, p.joins = nil, nil, false
	for _, m := range p.modules {
		if err := d.Mem.LoadModule(m.Module); err != nil {
			return err
		}
	}
	for _, b := range p.order {
		if err := b.create(d); err != nil {
			return b.wrap(err)
		}
	}
	for _, b := range p.order { // their contents may hold addresses of any
		if err := b.set(d); err != nil {
			return b.wrap(err)
		}
	}
	for _, t := range p.textures {
		if err := t.bind(d); err != nil {
			return t.wrap(err)
		}
	}
	for _, s := range p.steps {
		if err := s.run(d); err != nil {
			return err
		}
	}
	return p.collect(d)
}

// guard is the additional unmapped space behind a buffer, in bytes: the most a surplus CTA can write behind the
// end, the largest number of threads times the widest access.
const guard = maxThreads * 16

// create allocates a buffer.
func (b *buffer) create(d *host.Device) error {
	if b.symbol == "" {
		b.addr = d.Mem.AllocApart(b.name, b.size(), guard)
		return nil
	}
	v := b.variable()
	if v == nil {
		_, err := d.Mem.Symbol(b.module, b.symbol)
		return err
	}
	if b.addr = v.Address; v.Space == ir.Const {
		b.addr += ir.ConstWindow
	}
	return nil
}

// set fills a buffer or a part of one, if it has initial contents.
func (b *buffer) set(d *host.Device) error {
	if b.fill == nil {
		return nil
	}
	data, err := b.bytes(d)
	if err == nil {
		b.fill(data)
	}
	return err
}

// bytes returns the buffer's memory on the device.
func (b *buffer) bytes(d *host.Device) ([]byte, error) {
	if b.of != nil {
		data, err := b.of.bytes(d)
		if err != nil {
			return nil, err
		}
		return data[b.first*b.typ.Size():][:b.size()], nil
	}
	if b.symbol != "" {
		data, err := d.Mem.Symbol(b.module, b.symbol)
		if err != nil {
			return nil, err
		}
		return data[:b.size()], nil
	}
	return d.Mem.Bytes(b.addr, b.size())
}

// resolve returns the arguments with the buffers' addresses filled in.
func (l *launch) resolve() ([]host.Arg, error) {
	out := make([]host.Arg, len(l.args))
	for i, a := range l.args {
		b := append([]byte(nil), a.bytes...)
		for _, p := range a.pointers {
			if len(b) == 4 { // 32-bit code
				if p.bits() > math.MaxUint32 {
					return nil, fmt.Errorf("%s: found buffer %q at %#x, expected one below 4 GiB for a parameter of 4 "+
						"bytes", l.pos, p.buffer.name, p.bits())
				}
				binary.LittleEndian.PutUint32(b, uint32(p.bits()))
				continue
			}
			binary.LittleEndian.PutUint64(b[p.at:], p.bits())
		}
		out[i] = host.Arg{Bytes: b, Align: a.align}
	}
	return out, nil
}

// collect compares the results and keeps the buffers to be saved.
func (p *Program) collect(d *host.Device) error {
	for _, s := range p.saves {
		data, err := s.buffer.bytes(d)
		if err != nil {
			return s.wrap(err)
		}
		p.saved = append(p.saved, data) // nothing runs any more
	}
	var wrong error
	for _, x := range p.expects {
		data, err := x.buffer.bytes(d)
		if err != nil {
			return x.wrap(err)
		}
		r := x.compare(data)
		p.results = append(p.results, r)
		if !r.OK && wrong == nil {
			wrong = fmt.Errorf("%s: %w", x.pos, &host.CheckError{Buffer: r.Buffer, Mismatches: r.Mismatches,
				First: r.First})
		}
	}
	return wrong
}

// WriteSaves writes the buffers of the [[save]] tables, with their contents after the last run, to files under a
// folder. A file appears whole or not at all. An error begins with the place of the table in the launch file.
func (p *Program) WriteSaves(dir string) error {
	for i, data := range p.saved {
		s := &p.saves[i]
		if err := writeFile(filepath.Join(dir, s.path), data); err != nil {
			return s.wrap(err)
		}
	}
	return nil
}

// Save is a file requested by a [[save]] table.
type Save struct {
	Path string // under the output folder
	Pos  tomldoc.Pos
}

// Saves lists the files of the [[save]] tables.
func (p *Program) Saves() []Save {
	var out []Save
	for _, s := range p.saves {
		out = append(out, Save{s.path, s.pos})
	}
	return out
}

func writeFile(path string, data []byte) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("cannot write %s: is a folder", path)
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
