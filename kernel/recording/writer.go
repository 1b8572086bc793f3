package recording

import (
	"encoding/binary"
	"encoding/gob"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"

	"kumiko/kernel/host"
	"kumiko/kernel/mem"
)

// Writer records the calls of an application. A goroutine of its own encodes and compresses them.
//
// The device's memory is shared, so it is not copied: the writer has a digest of each page, and compares those pages
// alone that the host or a launch may have changed (mem.Pages).
type Writer struct {
	events  chan []*Event
	ended   chan struct{}
	err     error       // of the goroutine, valid once ended is closed
	batch   []*Event    // events not yet passed to the goroutine
	buffers chan []byte // buffers of written pages, for reuse
	digests map[uint64][]xxh3.Uint128
	seen    map[xxh3.Uint128]int // the numbers of pages stored, counted from 1
	launch  *xxh3.Hasher
}

// together is the number of events passed on to the goroutine at once: waking it for each cost as much as a small
// launch. ahead is the number of such batches that may wait for it. An event with pages goes at once, so that they
// bound the writer's memory.
const (
	together = 64
	ahead    = 4
)

// NewWriter begins a file.
func NewWriter(out io.Writer) (*Writer, error) {
	if _, err := io.WriteString(out, Magic); err != nil {
		return nil, err
	}
	// The fastest level: at gzip's usual one, compression took half as long as the emulation.
	z, err := zstd.NewWriter(out, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithZeroFrames(true))
	if err != nil {
		return nil, err
	}
	w := &Writer{events: make(chan []*Event, ahead), ended: make(chan struct{}), buffers: make(chan []byte, ahead),
		digests: map[uint64][]xxh3.Uint128{}, seen: map[xxh3.Uint128]int{}, launch: xxh3.New()}
	go w.encode(z)
	return w, nil
}

// encode writes the events. After an error it returns at once.
func (w *Writer) encode(z *zstd.Encoder) {
	defer close(w.ended)
	enc := gob.NewEncoder(z)
	for batch := range w.events {
		for _, e := range batch {
			if w.err = enc.Encode(e); w.err != nil {
				_ = z.Close() // frees it; the file is lost already
				return
			}
			if e.buffer != nil {
				select {
				case w.buffers <- e.buffer:
				default:
				}
			}
		}
	}
	w.err = z.Close()
}

// Close ends the file.
func (w *Writer) Close() error {
	_ = w.pass() // an error is that of the goroutine
	close(w.events)
	<-w.ended
	return w.err
}

// Add records a call. The event belongs to the writer from then on.
func (w *Writer) Add(e *Event) error {
	if e.Kind == Freed {
		delete(w.digests, e.Addr)
	}
	w.batch = append(w.batch, e)
	if len(w.batch) < together && e.buffer == nil {
		return nil
	}
	return w.pass()
}

// pass passes the events so far on to the goroutine.
func (w *Writer) pass() error {
	batch := w.batch
	w.batch = nil
	select {
	case w.events <- batch:
		return nil
	case <-w.ended:
		return w.err
	}
}

// changed calls do with the parts of regions in [lo, hi) whose contents have changed, or were never looked at. A part
// is in one page.
func (w *Writer) changed(m *mem.Memory, lo, hi uint64, do func(addr uint64, data []byte, sum xxh3.Uint128)) {
	for _, r := range m.Within(lo, hi) {
		first := r.Addr / pageBytes
		known := w.digests[r.Addr]
		if known == nil {
			known = make([]xxh3.Uint128, (r.Addr+uint64(len(r.Data))+pageBytes-1)/pageBytes-first)
			w.digests[r.Addr] = known
		}
		from := max(lo/pageBytes*pageBytes, r.Addr)
		to := min((hi+pageBytes-1)/pageBytes*pageBytes, r.Addr+uint64(len(r.Data)))
		eachPart(from, to, func(at, end uint64) {
			data := r.Data[at-r.Addr : end-r.Addr]
			sum := xxh3.Hash128(data)
			if old := &known[at/pageBytes-first]; *old != sum {
				*old = sum
				do(at, data, sum)
			}
		})
	}
}

// eachPart calls do with the parts of [lo, hi) that are in one page each.
func eachPart(lo, hi uint64, do func(lo, hi uint64)) {
	for lo < hi {
		end := min((lo/pageBytes+1)*pageBytes, hi)
		do(lo, end)
		lo = end
	}
}

// Host records the pages that the host has written since the launch before. ranges has all of these, and may have pages
// that the host has not written.
func (w *Writer) Host(m *mem.Memory, ranges []Range) (err error) {
	e := &Event{Kind: Copied}
	flush := func() {
		if err == nil && len(e.Pages) > 0 {
			err = w.Add(e)
		}
		e = &Event{Kind: Copied}
	}
	for _, r := range ranges {
		w.changed(m, r.Addr, r.Addr+r.Size, func(addr uint64, data []byte, sum xxh3.Uint128) {
			p := Page{Addr: addr, Same: w.seen[sum]}
			if p.Same == 0 {
				p.Data = w.clone(e, data)
				w.seen[sum] = len(w.seen) + 1
			}
			if e.Pages = append(e.Pages, p); len(e.Pages) == mostPages {
				flush()
			}
		})
	}
	flush()
	return err
}

// clone copies a page into the buffer of an event, because the next launch may write it before it is encoded.
func (w *Writer) clone(e *Event, data []byte) []byte {
	if e.buffer == nil {
		select {
		case e.buffer = <-w.buffers:
			e.buffer = e.buffer[:0]
		default:
			e.buffer = make([]byte, 0, mostPages*pageBytes)
		}
	}
	n := len(e.buffer)
	e.buffer = append(e.buffer, data...)
	return e.buffer[n:]
}

// Launched records a finished launch of a kernel of a module.
func (w *Writer) Launched(module int, l *host.Launch, m *mem.Memory) error {
	e := &Event{Kind: Launched, Module: module, Name: l.Kernel, Grid: l.Grid, Block: l.Block, Shared: l.DynShared,
		Cooperative: l.Cooperative, Queue: l.Queue}
	for _, a := range l.Args {
		e.Args = append(e.Args, a.Bytes)
	}
	h := w.launch
	h.Reset()
	m.Noted().Take(func(lo, hi uint64) {
		w.changed(m, lo, hi, func(addr uint64, data []byte, sum xxh3.Uint128) {
			n := len(e.Changed)
			if n > 0 && e.Changed[n-1].Addr+e.Changed[n-1].Size == addr {
				e.Changed[n-1].Size += uint64(len(data))
			} else {
				e.Changed = append(e.Changed, Range{addr, uint64(len(data))})
			}
			add(h, sum)
		})
	})
	e.Sum = sumOf(h)
	return w.Add(e)
}

// add adds the digest of a part to that of a launch.
func add(h *xxh3.Hasher, part xxh3.Uint128) {
	var text [16]byte
	binary.LittleEndian.PutUint64(text[:], part.Lo)
	binary.LittleEndian.PutUint64(text[8:], part.Hi)
	h.Write(text[:])
}

// sumOf returns the digest of a launch.
func sumOf(h *xxh3.Hasher) []byte {
	sum := h.Sum128().Bytes()
	return sum[:]
}
