package recording

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/gob"
	"io"
	"slices"

	"kumiko/kernel/host"
	"kumiko/kernel/mem"
)

// Writer records the calls of an application. Copies of the host are not seen, as they are in shared memory: the writer
// compares the memory with its own copy before each launch.
type Writer struct {
	zip  *gzip.Writer
	enc  *gob.Encoder
	copy map[uint64][]byte // of the regions, by address
	seen map[[sha256.Size]byte]int
}

// NewWriter begins a file.
func NewWriter(w io.Writer) (*Writer, error) {
	if _, err := io.WriteString(w, Magic); err != nil {
		return nil, err
	}
	z, err := gzip.NewWriterLevel(w, gzip.BestSpeed) // the default level took half as long as the emulation
	if err != nil {
		return nil, err
	}
	return &Writer{zip: z, enc: gob.NewEncoder(z), copy: map[uint64][]byte{}, seen: map[[sha256.Size]byte]int{}}, nil
}

// Close ends the file.
func (w *Writer) Close() error { return w.zip.Close() }

// Add records a call.
func (w *Writer) Add(e *Event) error {
	if e.Kind == Freed {
		delete(w.copy, e.Addr)
	}
	return w.enc.Encode(e)
}

// update calls do with each page unlike the writer's copy, in the order of addresses, and brings the copy up to date.
func (w *Writer) update(m *mem.Memory, do func(addr uint64, data []byte)) {
	for _, region := range m.Regions() {
		old := w.copy[region.Addr]
		if len(old) != len(region.Data) {
			old = make([]byte, len(region.Data))
			w.copy[region.Addr] = old
		}
		for at := 0; at < len(old); at += pageBytes {
			end := min(at+pageBytes, len(old))
			if now := region.Data[at:end]; !bytes.Equal(now, old[at:end]) {
				copy(old[at:end], now)
				do(region.Addr+uint64(at), now)
			}
		}
	}
}

// Host records the pages written by the host since the launch before.
func (w *Writer) Host(m *mem.Memory) (err error) {
	var pages []Page
	flush := func() {
		if err == nil && len(pages) > 0 {
			err = w.Add(&Event{Kind: Copied, Pages: pages})
		}
		pages = pages[:0]
	}
	w.update(m, func(addr uint64, data []byte) {
		sum := sha256.Sum256(data)
		p := Page{Addr: addr, Same: w.seen[sum]}
		if p.Same == 0 {
			p.Data = slices.Clone(data)
			w.seen[sum] = len(w.seen) + 1
		}
		if pages = append(pages, p); len(pages) == mostPages {
			flush()
		}
	})
	flush()
	return err
}

// Launched records a finished launch of a kernel of a module.
func (w *Writer) Launched(module int, l *host.Launch, m *mem.Memory) error {
	e := &Event{Kind: Launched, Module: module, Name: l.Kernel, Grid: l.Grid, Block: l.Block, Shared: l.DynShared,
		Cooperative: l.Cooperative}
	for _, a := range l.Args {
		e.Args = append(e.Args, a.Bytes)
	}
	h := sha256.New()
	w.update(m, func(addr uint64, data []byte) {
		e.Changed = append(e.Changed, addr)
		h.Write(data)
	})
	e.Sum = h.Sum(nil)
	return w.Add(e)
}
