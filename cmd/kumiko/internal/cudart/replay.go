package cudart

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"

	"kumiko/kernel/host"
	"kumiko/kernel/launch"
	"kumiko/kernel/mem"
)

// Replay is a recorded application as a host program: the same calls with the same data.
type Replay struct {
	file    string
	session *Session
	pages   [][]byte // stored ones
	// launches and wrong count launches, and those that changed memory to other contents than in the recording.
	launches, wrong int
	first           string
}

// OpenReplay checks that a file is a recording.
func OpenReplay(file string) (*Replay, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, len(Magic))
	if _, err := io.ReadFull(f, head); err != nil || string(head) != Magic {
		return nil, fmt.Errorf("%s: found %q at its begin, expected %q, as kumiko capture writes it", file, head, Magic)
	}
	return &Replay{file: file}, nil
}

// Name implements host.Program.
func (r *Replay) Name() string { return r.file }

// Run implements host.Program. Where launches changed memory otherwise than in the recording, it returns a
// *host.CheckError at the end.
func (r *Replay) Run(d *host.Device) (err error) {
	f, err := os.Open(r.file)
	if err != nil {
		return err
	}
	defer f.Close()
	shared, err := NewShared(SharedBytes)
	if err != nil {
		return err
	}
	defer func() {
		*d.Mem = mem.Memory{}
		err = errors.Join(err, shared.Close())
	}()
	if r.session, err = NewSession(GPU{Memory: d.Mem, Runner: d.Runner}, shared); err != nil {
		return err
	}
	in := bufio.NewReader(f)
	if _, err := in.Discard(len(Magic)); err != nil {
		return err
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		return fmt.Errorf("%s: %w", r.file, err)
	}
	dec := gob.NewDecoder(z)
	for n := 1; ; n++ {
		var e event
		switch err := dec.Decode(&e); {
		case errors.Is(err, io.EOF):
			return r.checked()
		case err != nil:
			return fmt.Errorf("%s: event %d: %w: the recording is damaged or cut off", r.file, n, err)
		}
		if err := r.do(&e); err != nil {
			return fmt.Errorf("%s: event %d: %w", r.file, n, err)
		}
	}
}

func (r *Replay) checked() error {
	if r.wrong == 0 {
		return nil
	}
	return &host.CheckError{Buffer: "memory after launches", Mismatches: r.wrong, First: r.first}
}

// do repeats a call.
func (r *Replay) do(e *event) error {
	s := r.session
	m := s.gpu.Memory
	switch e.Kind {
	case allocated:
		if e.Size > SharedBytes {
			return fmt.Errorf("found a block of %d bytes, expected at most %d", e.Size, SharedBytes)
		}
		if at, ok := m.Fit(blockName(e.Size), int(e.Size)+2*slack); !ok || at != e.Addr {
			return fmt.Errorf("a block of %d bytes is at %#x, expected %#x: another version of Kumiko recorded it",
				e.Size, at, e.Addr)
		}
		return nil
	case freed:
		if !m.Free(e.Addr) {
			return fmt.Errorf("found no block at %#x", e.Addr)
		}
		return nil
	case loaded:
		return s.parse(e.Data)
	case created:
		handle, err := m.NewTexture(e.Texture)
		if err == nil && handle != e.Addr {
			err = fmt.Errorf("found the texture %#x, expected %#x", handle, e.Addr)
		}
		return err
	}
	if e.Module < 0 || e.Module >= len(s.modules) {
		return fmt.Errorf("found module %d, expected one of %d", e.Module, len(s.modules))
	}
	u := s.modules[e.Module]
	switch e.Kind {
	case written:
		data, err := m.Symbol(u, e.Name)
		if err != nil {
			return err
		}
		if e.Addr > uint64(len(data)) || uint64(len(e.Data)) > uint64(len(data))-e.Addr {
			return fmt.Errorf("found %d bytes from byte %d on for %s, which has %d", len(e.Data), e.Addr, e.Name,
				len(data))
		}
		copy(data[e.Addr:], e.Data)
		return nil
	case bound:
		return m.BindTexture(u, e.Name, e.Texture)
	case launched:
		return r.launch(e)
	}
	return fmt.Errorf("found the kind %d, which this Kumiko does not know", e.Kind)
}

// launch writes the pages written by the host, launches the kernel, and compares the pages changed by it.
func (r *Replay) launch(e *event) error {
	s := r.session
	for _, p := range e.Pages {
		data := p.Data
		switch {
		case p.Same == 0:
			r.pages = append(r.pages, data)
		case p.Same > 0 && p.Same <= len(r.pages):
			data = r.pages[p.Same-1]
		default:
			return fmt.Errorf("found page %d, expected one of %d", p.Same, len(r.pages))
		}
		to, err := s.gpu.Memory.Bytes(p.Addr, len(data))
		if err != nil {
			return err
		}
		copy(to, data)
	}
	u := s.modules[e.Module]
	k := u.Kernel(e.Name)
	if k == nil || len(k.Params) != len(e.Args) {
		return fmt.Errorf("%s has no kernel %s of %d parameters", u.File, launch.Shown(e.Name), len(e.Args))
	}
	l := &host.Launch{Module: u, Kernel: e.Name, Grid: e.Grid, Block: e.Block, DynShared: e.Shared,
		Cooperative: e.Cooperative}
	for i, a := range e.Args {
		l.Args = append(l.Args, host.Arg{Bytes: a, Align: k.Params[i].Align})
	}
	if err := s.gpu.Runner.Launch(l); err != nil {
		return err
	}
	r.launches++
	same, err := r.same(e)
	if err == nil && !same {
		if r.wrong++; r.wrong == 1 {
			r.first = fmt.Sprintf("launch %d, of %s", r.launches, launch.Shown(e.Name))
		}
	}
	return err
}

// same reports whether the pages changed by a launch are as recorded.
func (r *Replay) same(e *event) (bool, error) {
	h := sha256.New()
	for _, addr := range e.Changed {
		region := r.session.gpu.Memory.Find(addr, 1)
		if region == nil {
			return false, fmt.Errorf("found no memory at %#x", addr)
		}
		at := addr - region.Addr
		h.Write(region.Data[at:min(at+pageBytes, uint64(len(region.Data)))])
	}
	return bytes.Equal(h.Sum(nil), e.Sum), nil
}
