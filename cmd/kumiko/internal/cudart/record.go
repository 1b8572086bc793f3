package cudart

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"io"
	"slices"

	"kumiko/kernel/host"
	"kumiko/kernel/mem"
	"kumiko/kernel/texture"
)

// Magic begins a recorded application. The number is that of the format.
const Magic = "kumiko application 1\n"

// kind is the kind of an event.
type kind uint8

const (
	loaded    kind = iota + 1 // a module: Data is its PTX
	allocated                 // Size bytes, in a region at Addr
	freed                     // the region at Addr
	written                   // Data, to the constant Name of Module, from byte Addr on
	bound                     // Texture, to the reference Name of Module
	created                   // Texture, as the object with handle Addr
	launched                  // the kernel Name of Module
)

// event is a call of an application, as recorded.
type event struct {
	Kind        kind
	Name        string
	Module      int
	Addr, Size  uint64
	Data        []byte
	Texture     texture.Texture
	Grid, Block [3]int
	Shared      int
	Cooperative bool
	Args        [][]byte
	// Pages were written by the host since the launch before.
	Pages []page
	// Changed are the addresses of the pages changed by the launch, Sum the digest of their contents.
	Changed []uint64
	Sum     []byte
}

// page is a part of a region, of at most pageBytes. Equal pages are stored once: Data is that of the first of them, and
// the others have its number, counted from 1.
type page struct {
	Addr uint64
	Same int
	Data []byte
}

// pageBytes is the size of a page in recordings, the smallest of GPUs.
const pageBytes = 4096

// Recorder writes the calls of an application to a file. Copies of the host are not seen, as they are in shared memory:
// the recorder compares the memory with its own copy before each launch.
type Recorder struct {
	zip  *gzip.Writer
	enc  *gob.Encoder
	copy map[uint64][]byte // of the regions, by address
	seen map[[sha256.Size]byte]int
}

// NewRecorder begins a recording.
func NewRecorder(w io.Writer) (*Recorder, error) {
	if _, err := io.WriteString(w, Magic); err != nil {
		return nil, err
	}
	z := gzip.NewWriter(w)
	return &Recorder{zip: z, enc: gob.NewEncoder(z), copy: map[uint64][]byte{}, seen: map[[sha256.Size]byte]int{}}, nil
}

// Close ends the recording.
func (r *Recorder) Close() error { return r.zip.Close() }

func (r *Recorder) add(e *event) error {
	if e.Kind == freed {
		delete(r.copy, e.Addr)
	}
	return r.enc.Encode(e)
}

// update calls do with each page unlike the recorder's copy, in the order of addresses, and brings the copy up to date.
func (r *Recorder) update(m *mem.Memory, do func(addr uint64, data []byte)) {
	for _, region := range m.Regions() {
		old := r.copy[region.Addr]
		if len(old) != len(region.Data) {
			old = make([]byte, len(region.Data))
			r.copy[region.Addr] = old
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

// changes returns the pages written by the host since the launch before; nil: nothing is recorded.
func (s *Session) changes(m *mem.Memory) (out []page) {
	r := s.gpu.Record
	if r == nil {
		return nil
	}
	r.update(m, func(addr uint64, data []byte) {
		sum := sha256.Sum256(data)
		p := page{Addr: addr, Same: r.seen[sum]}
		if p.Same == 0 {
			p.Data = slices.Clone(data)
			r.seen[sum] = len(r.seen) + 1
		}
		out = append(out, p)
	})
	return out
}

// recordLaunch records a finished launch.
func (s *Session) recordLaunch(l *host.Launch, before []page) error {
	r := s.gpu.Record
	if r == nil {
		return nil
	}
	e := &event{Kind: launched, Module: slices.Index(s.modules, l.Module), Name: l.Kernel, Grid: l.Grid, Block: l.Block,
		Shared: l.DynShared, Cooperative: l.Cooperative, Pages: before}
	for _, a := range l.Args {
		e.Args = append(e.Args, a.Bytes)
	}
	h := sha256.New()
	r.update(s.gpu.Memory, func(addr uint64, data []byte) {
		e.Changed = append(e.Changed, addr)
		h.Write(data)
	})
	e.Sum = h.Sum(nil)
	return r.add(e)
}

// errSecond refuses to record more than one process.
var errSecond = errors.New("found a second process with launches, expected one application: record the program " +
	"itself, not its script")
