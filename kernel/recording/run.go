package recording

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/zeebo/xxh3"

	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/launch"
	"kumiko/kernel/mem"
	"kumiko/kernel/ptx"
)

// Checked is the name of the comparison of memory with the recording, in results.
const Checked = "memory after launches"

// replay is a run under way.
type replay struct {
	mem     *mem.Memory
	runner  host.Runner
	modules []*ir.Module
	pages   [][]byte // stored ones
	// launches and wrong count launches, and those that changed memory to other contents than in the recording.
	launches, wrong int
	first           string
}

// Run implements host.Program. Where launches changed memory otherwise than in the recording, it returns a
// *host.CheckError at the end. The memory is empty again when it returns.
func (p *Program) Run(d *host.Device) (err error) {
	data, free, err := backing()
	if err != nil {
		return err
	}
	defer func() {
		*d.Mem = mem.Memory{}
		err = errors.Join(err, free())
	}()
	if err := d.Mem.Back(Base, data); err != nil {
		return err
	}
	r := &replay{mem: d.Mem, runner: d.Runner}
	if err := p.each(nil, r.do); err != nil {
		return err
	}
	if r.wrong > 0 {
		return &host.CheckError{Buffer: Checked, Mismatches: r.wrong, First: r.first}
	}
	return nil
}

// Parse reads the PTX of the modules from a number on, counted from 0, links them if they are several, and loads them.
// Their variables come behind all memory in use.
func Parse(m *mem.Memory, number int, texts [][]byte) ([]*ir.Module, error) {
	name := func(i int) string { return fmt.Sprintf("the PTX of module %d of the application", number+i+1) }
	list, err := parse(name, texts, m.Top(), ptx.Limits{})
	if err != nil {
		return nil, err
	}
	for _, u := range list {
		if err := m.LoadModule(u); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// parse parses the PTX of modules. If there are several, it links them to one another.
func parse(name func(int) string, texts [][]byte, base uint64, lim ptx.Limits) ([]*ir.Module, error) {
	var list []*ir.Module
	for i, text := range texts {
		u, err := ptx.ParseWithin(name(i), text, base, lim)
		if err != nil {
			return nil, err
		}
		list = append(list, u)
	}
	if len(list) == 1 {
		return list, nil
	}
	return ptx.Link(list, base, lim)
}

// do repeats a call.
func (r *replay) do(e *Event) error {
	switch e.Kind {
	case Allocated:
		if at, ok := Allocate(r.mem, e.Size); !ok || at != e.Addr {
			return fmt.Errorf("a block of %d bytes is at %#x, expected %#x: another version of Kumiko recorded it",
				e.Size, at, e.Addr)
		}
		return nil
	case Freed:
		if !r.mem.Free(e.Addr) {
			return fmt.Errorf("found no block at %#x", e.Addr)
		}
		return nil
	case Loaded:
		list, err := Parse(r.mem, len(r.modules), e.Texts)
		r.modules = append(r.modules, list...)
		return err
	case Created:
		handle, err := r.mem.NewTexture(e.Texture)
		if err == nil && handle != e.Addr {
			err = fmt.Errorf("found the texture %#x, expected %#x", handle, e.Addr)
		}
		return err
	case Copied:
		return r.write(e.Pages)
	}
	u := r.modules[e.Module]
	switch e.Kind {
	case Written:
		data, err := r.mem.Symbol(u, e.Name)
		if err != nil {
			return err
		}
		if e.Addr > uint64(len(data)) || uint64(len(e.Data)) > uint64(len(data))-e.Addr {
			return fmt.Errorf("found %d bytes from byte %d on for %s, which has %d", len(e.Data), e.Addr, e.Name,
				len(data))
		}
		copy(data[e.Addr:], e.Data)
		return nil
	case Bound:
		return r.mem.BindTexture(u, e.Name, e.Texture)
	}
	return r.launch(u, e)
}

// write writes pages of the host.
func (r *replay) write(pages []Page) error {
	for _, p := range pages {
		data := p.Data
		switch {
		case p.Same == 0:
			r.pages = append(r.pages, data)
		case p.Same > 0 && p.Same <= len(r.pages):
			data = r.pages[p.Same-1]
		default:
			return fmt.Errorf("found page %d, expected one of %d", p.Same, len(r.pages))
		}
		to, err := r.mem.Bytes(p.Addr, len(data))
		if err != nil {
			return err
		}
		copy(to, data)
	}
	return nil
}

// launch launches a kernel, and compares the pages changed by it.
func (r *replay) launch(u *ir.Module, e *Event) error {
	k := u.Kernel(e.Name)
	if k == nil || len(k.Params) != len(e.Args) {
		return fmt.Errorf("%s has no kernel %s of %d parameters", u.File, launch.Shown(e.Name), len(e.Args))
	}
	l := &host.Launch{Module: u, Kernel: e.Name, Grid: e.Grid, Block: e.Block, DynShared: e.Shared,
		Cooperative: e.Cooperative, Queue: e.Queue}
	for i, a := range e.Args {
		l.Args = append(l.Args, host.Arg{Bytes: a, Align: k.Params[i].Align})
	}
	if err := r.runner.Launch(l); err != nil {
		return err
	}
	r.launches++
	same, err := r.same(e)
	if err != nil || same {
		return err
	}
	if r.wrong++; r.first == "" {
		r.first = fmt.Sprintf("launch %d, of %s", r.launches, launch.Shown(e.Name))
	}
	return nil
}

// same reports whether the pages that a launch changed in the recording are as they were then.
func (r *replay) same(e *Event) (bool, error) {
	h := xxh3.New()
	for _, c := range e.Changed {
		region := r.mem.Find(c.Addr, 1)
		if region == nil || c.Size > region.Addr+uint64(len(region.Data))-c.Addr {
			return false, fmt.Errorf("found no memory of %d bytes at %#x", c.Size, c.Addr)
		}
		eachPart(c.Addr, c.Addr+c.Size, func(lo, hi uint64) {
			add(h, xxh3.Hash128(region.Data[lo-region.Addr:hi-region.Addr]))
		})
	}
	return bytes.Equal(sumOf(h), e.Sum), nil
}
