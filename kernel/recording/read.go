package recording

import (
	"bufio"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"kumiko/kernel/ir"
	"kumiko/kernel/ptx"
)

// Suffix ends the names of recordings.
const Suffix = ".kumiko"

// Is reports whether a name is that of a recording.
func Is(name string) bool { return filepath.Ext(name) == Suffix }

// Kernel is what a recording has of a kernel.
type Kernel struct {
	Name     string
	Launches int
	First    Event // the first launch
}

// Program is a recording as a host program. It is read again for each run.
type Program struct {
	file    string
	sum     string     // SHA-256 of the file, in hexadecimal
	loads   [][][]byte // the PTX of modules, by load
	modules int
	kernels []*Kernel // in the order of their first launches
}

// Open reads a recording to its end, and refuses a damaged one.
func Open(file string) (*Program, error) {
	p := &Program{file: file}
	h := sha256.New()
	byName := map[string]*Kernel{}
	err := p.each(h, func(e *Event) error {
		if err := e.check(p.modules); err != nil {
			return err
		}
		switch e.Kind {
		case Loaded:
			p.loads = append(p.loads, e.Texts)
			p.modules += len(e.Texts)
		case Launched:
			id := fmt.Sprint(e.Module, " ", e.Name)
			k := byName[id]
			if k == nil {
				k = &Kernel{Name: e.Name, First: *e}
				k.First.Changed, k.First.Args = nil, nil
				byName[id] = k
				p.kernels = append(p.kernels, k)
			}
			k.Launches++
		}
		return nil
	})
	p.sum = hex.EncodeToString(h.Sum(nil))
	return p, err
}

// check refuses an event that no Writer makes. modules is the number of modules loaded before it.
func (e *Event) check(modules int) error {
	switch e.Kind {
	case Written, Bound, Launched:
		if e.Module < 0 || e.Module >= modules {
			return fmt.Errorf("found module %d, expected one of %d", e.Module, modules)
		}
		if q := e.Queue; q != nil && (q.Stream < 0 || q.ID < 0) {
			return fmt.Errorf("found launch %d in stream %d, expected numbers from 0 on", q.ID, q.Stream)
		}
	case Loaded:
		if len(e.Texts) == 0 {
			return errors.New("found no PTX of a module")
		}
	case Allocated, Freed, Created, Copied:
	default:
		return fmt.Errorf("found the kind %d, which this Kumiko does not know", e.Kind)
	}
	return nil
}

// Name implements host.Program.
func (p *Program) Name() string { return p.file }

// Sum identifies the recording: the SHA-256 of the file, in hexadecimal.
func (p *Program) Sum() string { return p.sum }

// Kernels returns the kernels launched, in the order of their first launches.
func (p *Program) Kernels() []*Kernel { return p.kernels }

// Module returns the kernels launched as those of one module, to look at their code. Of kernels with the same name the
// first is in it.
func (p *Program) Module(lim ptx.Limits) (*ir.Module, error) {
	var all *ir.Module
	number := 0
	name := func(i int) string {
		if p.modules == 1 {
			return p.file
		}
		return fmt.Sprintf("%s (module %d)", p.file, number+i+1)
	}
	for _, texts := range p.loads {
		list, err := parse(name, texts, ir.GlobalBase, lim)
		if err != nil {
			return nil, err
		}
		if all == nil {
			own := *list[0]
			all, own.Kernels = &own, nil
		}
		if err := p.launched(all, list, number); err != nil {
			return nil, err
		}
		number += len(list)
	}
	if all == nil || len(all.Kernels) == 0 {
		return nil, fmt.Errorf("%s: found no launch", p.file)
	}
	return all, nil
}

// launched adds the kernels launched of modules from a number on to all.
func (p *Program) launched(all *ir.Module, list []*ir.Module, number int) error {
	for _, k := range p.kernels {
		i := k.First.Module - number
		if i < 0 || i >= len(list) || all.Kernel(k.Name) != nil {
			continue
		}
		if err := list[i].Refusal(k.Name); err != nil {
			return err
		}
		if code := list[i].Kernel(k.Name); code != nil {
			all.Kernels = append(all.Kernels, code)
		}
	}
	return nil
}

// each calls do with the events in order. h, unless nil, gets the bytes of the file.
func (p *Program) each(h hash.Hash, do func(*Event) error) (err error) {
	f, err := os.Open(p.file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	in := bufio.NewReaderSize(f, 1<<16)
	head := make([]byte, len(Magic))
	if n, err := io.ReadFull(in, head); err != nil || string(head) != Magic && string(head) != older {
		return fmt.Errorf("%s: found %q at its begin, expected %q or %q, as kumiko capture writes it", p.file, head[:n],
			Magic, older)
	}
	var text io.Reader = in
	if h != nil {
		h.Write(head)
		text = io.TeeReader(in, h)
	}
	damaged := func(n int, err error) error {
		return fmt.Errorf("%s: event %d: %w: the recording is damaged or cut off; record the application again", p.file,
			n, err)
	}
	packed := bufio.NewReader(text)
	if _, err := packed.Peek(1); err != nil {
		return damaged(1, errors.Join(err, io.ErrUnexpectedEOF))
	}
	z, err := zstd.NewReader(packed, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return damaged(1, err)
	}
	defer z.Close()
	events := bufio.NewReader(z)
	dec := gob.NewDecoder(events)
	for n := 1; ; n++ {
		var e Event
		switch err := dec.Decode(&e); {
		case errors.Is(err, io.EOF): // of the file, or of an event whose length is damaged
			if _, err := events.Peek(1); !errors.Is(err, io.EOF) {
				return damaged(n, errors.Join(err, io.ErrUnexpectedEOF))
			}
			return nil
		case err != nil:
			return damaged(n, err)
		}
		if err := do(&e); err != nil {
			return fmt.Errorf("%s: event %d: %w", p.file, n, err)
		}
	}
}
