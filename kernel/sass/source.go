package sass

import (
	"errors"
	"io"
	"math/bits"
	"sync"
	"unsafe"

	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// ErrStopped is the error after Options.Quit was closed.
var ErrStopped = errors.New("reading was stopped")

// aheadBytes bounds the size of the streams waiting for the consumer, without the stream being read.
const aheadBytes = 32 << 20

// Source reads a trace's CTAs in a goroutine of its own and hands over their streams. It implements stream.Source.
type Source struct {
	ctas chan *stream.CTA
	quit chan struct{}
	once sync.Once
	end  chan struct{}
	err  error

	mu      sync.Mutex
	room    sync.Cond
	waiting int // bytes of streams in the channel
	stopped bool
}

// Source reads the trace again and returns its CTAs in grid order. It reads at most ahead CTAs, and at least one,
// in advance. Warps without instructions and CTAs without warps are left out.
func (l *Launch) Source(ahead int) *Source {
	s := &Source{ctas: make(chan *stream.CTA, max(ahead, 1)), quit: make(chan struct{}), end: make(chan struct{})}
	s.room.L = &s.mu
	go func() {
		defer close(s.ctas)
		defer close(s.end)
		s.err = l.guarded(s)
	}()
	return s
}

// Next waits for the next thread block.
func (s *Source) Next() *stream.CTA {
	c := <-s.ctas
	if c != nil {
		s.mu.Lock()
		s.waiting -= size(c)
		s.mu.Unlock()
		s.room.Signal()
	}
	return c
}

// Err returns the error, if any, at which reading stopped, once Next has returned nil.
func (s *Source) Err() error {
	select {
	case <-s.end:
		return s.err
	default:
		return nil
	}
}

// Close stops the reading and waits until the file is closed.
func (s *Source) Close() {
	s.once.Do(func() {
		s.mu.Lock()
		s.stopped = true
		s.mu.Unlock()
		s.room.Signal()
		close(s.quit)
	})
	<-s.end
	for range s.ctas { // CTAs read and not fetched
	}
}

// put hands a CTA over when there is space. It returns whether the consumer wants more.
func (s *Source) put(c *stream.CTA) bool {
	n := size(c)
	s.mu.Lock()
	for !s.stopped && s.waiting > 0 && s.waiting+n > aheadBytes {
		s.room.Wait()
	}
	s.waiting += n
	s.mu.Unlock()
	select {
	case s.ctas <- c:
		return true
	case <-s.quit:
		return false
	}
}

// size of a thread block's streams in bytes.
func size(c *stream.CTA) int {
	n := 0
	for i := range c.Warps {
		w := &c.Warps[i]
		n += len(w.Runs)*int(unsafe.Sizeof(stream.Run{})) + 4*len(w.Masks) +
			len(w.Accesses)*int(unsafe.Sizeof(stream.Access{}))
		for j := range w.Accesses {
			n += 8 * len(w.Accesses[j].List())
		}
	}
	return n
}

// guarded is stream with a panic returned as an *ir.InternalError.
func (l *Launch) guarded(s *Source) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = ir.Internal(&ir.Kernel{File: l.File, Name: l.Name}, nil, p)
		}
	}()
	return l.stream(s)
}

// stream makes the second pass over a trace.
func (l *Launch) stream(s *Source) error {
	var r io.Reader
	var seek io.Seeker
	switch {
	case l.plain:
		f, err := openFile(l.File)
		if err != nil {
			return err
		}
		defer f.Close()
		r, seek = f, f
	case !l.sorted:
		f, err := spool(l.File, l.lim)
		if err != nil {
			return err
		}
		defer f.Close()
		r, seek = f, f
	default:
		in, err := openInput(l.File, nil, l.lim)
		if err != nil {
			return err
		}
		defer in.Close()
		r = in
	}
	err := l.blocksInOrder(r, seek, s.put)
	if err == ErrStopped {
		return nil
	}
	return err
}

// blocksInOrder walks over the CTAs in grid order: through the file if it has this order, and otherwise by their
// places in it.
func (l *Launch) blocksInOrder(r io.Reader, seek io.Seeker, put func(*stream.CTA) bool) error {
	in := newLines(r, l.lim.LineBytes)
	w := &walker{h: &l.Header, in: in, v: &decoder{l: l, put: put, insts: l.Kernel.Insts}}
	if l.sorted {
		if _, err := readHeader(in); err != nil {
			return l.changed(in, err)
		}
		err := w.run(false)
		if err == io.EOF {
			return nil
		}
		return l.changed(in, err)
	}
	places := make([]blockAt, len(l.blocks))
	for _, b := range l.blocks {
		places[b.index] = b
	}
	for _, b := range places {
		if _, err := seek.Seek(b.offset, io.SeekStart); err != nil {
			return err
		}
		in.continueAt(r, b.offset, b.line)
		if err := w.run(true); err != nil {
			return l.changed(in, err)
		}
	}
	return nil
}

// changed returns an error not met in the first pass.
func (l *Launch) changed(in *lines, err error) error {
	if err == ErrStopped {
		return err
	}
	return locate(l.File, in.n, err)
}

// decoder is the visitor of the second pass: it makes streams from lines.
type decoder struct {
	l     *Launch
	put   func(*stream.CTA) bool
	insts []ir.Inst
	cta   *stream.CTA
	w     stream.Warp
	n     int // its number
	all   [32]stream.Warp
	a     addresses
	// Streams are collected here, and then copied to slices of their size.
	runs     []stream.Run
	masks    []uint32
	accesses []stream.Access
	lists    *[]uint64 // addresses of the thread block's accesses
}

func (d *decoder) block(index int, _ int64, _ int) error {
	d.cta, d.lists = &stream.CTA{Index: index, Kernel: d.l.Kernel}, new([]uint64)
	return nil
}

func (d *decoder) warp(w, _ int) error {
	d.warpDone()
	d.n = w
	return nil
}

// warpDone keeps the completed warp.
func (d *decoder) warpDone() {
	if d.w.Insts > 0 {
		d.w.Runs = append([]stream.Run(nil), d.runs...)
		d.w.Masks = append([]uint32(nil), d.masks...)
		d.w.Accesses = append([]stream.Access(nil), d.accesses...)
		d.all[d.n] = d.w
	}
	d.w = stream.Warp{}
	d.runs, d.masks, d.accesses = d.runs[:0], d.masks[:0], d.accesses[:0]
}

func (d *decoder) end() error {
	d.warpDone()
	for i := range d.all {
		if d.all[i].Insts > 0 {
			d.cta.Warps = append(d.cta.Warps, d.all[i])
		}
		d.all[i] = stream.Warp{}
	}
	if len(d.cta.Warps) > 0 && !d.put(d.cta) {
		return ErrStopped
	}
	return nil
}

func (d *decoder) inst(line []byte) error {
	f := fields{b: line}
	pc, mask, _, err := d.l.head(&f, ^uint32(0))
	if err != nil {
		return err
	}
	s := d.l.prog.find(pc, &f)
	if s == nil {
		return f.bad(f.i, "the instruction that was there when the file was first read")
	}
	in := &d.insts[s.index]
	d.add(uint32(s.index), mask, in.T.Guarded)
	if in.T.Space == ir.SpaceNone || mask == 0 {
		return nil
	}
	if s.width == 0 {
		return f.bad(f.i, "the addresses of a memory instruction")
	}
	if err := d.a.memory(&f, mask); err != nil {
		return err
	}
	d.accesses = append(d.accesses, d.l.access(&d.a, mask, in.T.Space, d.lists))
	return nil
}

// add adds an instruction to the runs. A guarded instruction continues a run if all its lanes are lanes of the run:
// the run's mask is then the best guess at the active lanes.
func (d *decoder) add(pc, mask uint32, guarded bool) {
	d.w.Insts++
	d.w.Lanes += uint64(bits.OnesCount32(mask))
	if guarded {
		d.masks = append(d.masks, mask)
	}
	if n := len(d.runs); n > 0 {
		r := &d.runs[n-1]
		if r.PC+r.N == pc && (mask == r.Mask || guarded && mask&^r.Mask == 0) {
			r.N++
			return
		}
	}
	d.runs = append(d.runs, stream.Run{PC: pc, N: 1, Mask: mask})
}
