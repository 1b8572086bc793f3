package cudart

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"

	"kumiko/gpus/config"
	"kumiko/gpus/stop"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/recording"
)

// GPU is the device of an application.
type GPU struct {
	Config *config.Config
	Runner host.Runner
	Memory *mem.Memory // empty
	// Printf has the output of printf in kernels. The runner writes to it.
	Printf *Output
	// Sync simulates the launches in streams that are not simulated yet; nil: the runner has none.
	Sync func() error
	// Time returns the time in nanoseconds at which the first launches, as many as first says, and the launches with
	// the given numbers, from 1 on, had all ended. It is called once these have been simulated.
	Time func(first int, launches []int) uint64
	// Record, unless nil, records what the application does.
	Record *recording.Writer
	// Timed: the time is that of a simulated GPU.
	Timed bool
}

// Output collects what kernels print, until the application fetches it.
type Output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *Output) fetch() []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	out := bytes.Clone(o.text.Bytes())
	o.text.Reset()
	return out
}

// Session is the state of one application on a GPU.
type Session struct {
	gpu       GPU
	shared    *Shared
	modules   []*ir.Module
	kernels   []kernel
	launching atomic.Bool
	over      atomic.Bool       // the application has ended
	written   []recording.Range // those of the last launch
	earlier   int               // launches of other processes before
	synced    int               // launches simulated, of this process
	// Launches counts the launches begun.
	Launches int
	// Fault is the first error that was not for the application to handle: of the simulation, or a call that is not
	// supported. nil: none.
	Fault error
}

// kernel is a kernel that the application has asked for.
type kernel struct {
	module *ir.Module
	code   *ir.Kernel
}

// NewSession makes a GPU ready for one application.
func NewSession(g GPU, shared *Shared) (*Session, error) {
	if err := g.Memory.Back(recording.Base, shared.Data); err != nil {
		return nil, err
	}
	if g.Record != nil {
		g.Memory.Note()
	}
	return &Session{gpu: g, shared: shared}, nil
}

// Serve answers the application at the other end of a connection until it ends. If it ends during a launch, gone is
// called, from another goroutine, so that the launch can be stopped. The error is nil if the application has closed the
// connection.
func (s *Session) Serve(conn *net.UnixConn, gone func()) error {
	requests, quit := make(chan *request), make(chan struct{})
	var failure error
	defer close(quit)
	go func() {
		defer close(requests)
		failure = s.receive(conn, requests, quit)
		s.end(gone)
	}()
	for q := range requests {
		if more, err := s.answer(conn, q); !more {
			return err
		}
	}
	if failure != nil || s.Fault != nil {
		return failure
	}
	return s.sync()
}

// end stops the launch under way by gone, as the application has ended, and refuses those that would begin.
func (s *Session) end(gone func()) {
	s.over.Store(true)
	if s.launching.Load() {
		gone()
	}
}

// busy does what the application waits for, unless it has ended.
func (s *Session) busy(do func() error) error {
	s.launching.Store(true)
	defer s.launching.Store(false)
	if s.over.Load() {
		return stop.ErrInterrupted
	}
	return do()
}

// sync simulates the launches that are not simulated yet.
func (s *Session) sync() error {
	s.synced = s.Launches
	if s.gpu.Sync == nil {
		return nil
	}
	return s.gpu.Sync()
}

// time answers when launches had ended: as many from the first one on as the request says, and those that it lists.
func (s *Session) time(q *request, a *answer) error {
	first := q.size()
	var list []int
	last := first
	for n := q.size(); n > 0 && !q.bad; n-- {
		list = append(list, q.size())
		last = max(last, list[len(list)-1])
	}
	if last > s.Launches {
		return s.note(fmt.Errorf("found the launch %d in a question for the time, expected at most %d", last,
			s.Launches))
	}
	if last > s.synced {
		if err := s.busy(s.sync); errors.Is(err, stop.ErrInterrupted) {
			return err
		} else if err != nil {
			return s.note(err)
		}
	}
	for i := range list {
		list[i] += s.earlier
	}
	a.u64(s.gpu.Time(s.earlier+first, list))
	return nil
}

// receive passes on the messages of the application, until it ends.
func (s *Session) receive(conn *net.UnixConn, to chan<- *request, quit <-chan struct{}) error {
	for {
		q, err := readRequest(conn)
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		select {
		case to <- q:
		case <-quit:
			return nil
		}
	}
}

// answer answers a message. It reports whether more messages follow.
func (s *Session) answer(conn *net.UnixConn, q *request) (more bool, err error) {
	a := &answer{}
	err = s.handle(q, a)
	if q.bad && err == nil {
		err = s.note(fmt.Errorf("the message %d of the application is too short: its runtime is not that of this "+
			"Kumiko", q.op))
	}
	if _, ok := errors.AsType[*ir.InternalError](err); errors.Is(err, stop.ErrInterrupted) || ok {
		return false, err
	}
	var oob []byte
	if a.fd > 0 {
		oob = rights(a.fd)
	}
	_, _, werr := conn.WriteMsgUnix(encode(a, err), oob, nil)
	return werr == nil, nil // otherwise the application has ended
}

// note keeps the first fault.
func (s *Session) note(err error) error {
	if s.Fault == nil {
		s.Fault = err
	}
	return err
}

// handle answers one message.
func (s *Session) handle(q *request, a *answer) error {
	switch q.op {
	case opHello:
		return s.hello(q, a)
	case opModule:
		return s.load(q, a)
	case opKernel:
		return s.kernel(q, a)
	case opSymbol:
		return s.symbol(q, a)
	case opAlloc:
		return s.alloc(q, a)
	case opFree:
		at := q.u64() - recording.Slack
		if !s.gpu.Memory.Free(at) {
			return &fault{code: errValue}
		}
		return s.record(&recording.Event{Kind: recording.Freed, Addr: at})
	case opWrite:
		return s.write(q)
	case opRead:
		return s.read(q, a)
	case opLaunch:
		return s.launch(q, a)
	case opBind:
		return s.bind(q)
	case opObject:
		return s.object(q, a)
	case opTime:
		return s.time(q, a)
	case opOccupancy:
		return s.occupancy(q, a)
	case opRefused:
		return s.note(&fault{errNotSupported, fmt.Sprintf("%s is not supported", q.string())})
	}
	return s.note(fmt.Errorf("found the message %d, which this Kumiko does not know: link the application again", q.op))
}

// hello greets the application with the properties of the GPU and the memory.
func (s *Session) hello(q *request, a *answer) error {
	if v := q.u32(); v != protocolVersion {
		return s.note(&fault{errInit, fmt.Sprintf("the application has version %d of the runtime, expected %d: "+
			"compile it again with kumiko nvcc", v, protocolVersion)})
	}
	c := s.gpu.Config
	timed, recorded := 0, 0
	if s.gpu.Timed {
		timed = 1
	}
	if s.gpu.Record != nil {
		recorded = 1
	}
	a.u64(recording.Base)
	a.u64(uint64(len(s.shared.Data)))
	a.u64(uint64(len(s.shared.Data)))
	shared := c.CompileSpec().CTAShared
	l2 := c.Mem.L2.Slices * c.Mem.L2.Tags.Sets * c.Mem.L2.Tags.Ways * c.Mem.L2.Tags.Line
	// The clock of the data, as CUDA's memoryClockRate has it: half the transfers in a second.
	a.u32(timed, recorded, c.SM.Count, c.SM.ClockMHz, c.SM.Threads, shared, c.SM.SharedBytes, c.SM.Registers, l2,
		8*c.Mem.DRAM.Bus*c.Mem.DRAM.Channels, c.Mem.DRAM.Clock*c.Mem.DRAM.Rate/2)
	a.body = append(a.body, "Kumiko "+c.Name...)
	a.fd = s.shared.fd
	return nil
}

// alloc maps a block.
func (s *Session) alloc(q *request, a *answer) error {
	n := q.u64()
	at, ok := recording.Allocate(s.gpu.Memory, n)
	if !ok {
		return &fault{code: errMemory}
	}
	a.u64(at + recording.Slack)
	return s.record(&recording.Event{Kind: recording.Allocated, Addr: at, Size: n})
}

// record adds an event to the recording, if there is one.
func (s *Session) record(e *recording.Event) error {
	if s.gpu.Record == nil {
		return nil
	}
	return s.gpu.Record.Add(e)
}

// executable returns the path of this program, which an application starts as its emulator.
func executable() string {
	p, err := os.Executable()
	if err != nil {
		return "kumiko"
	}
	return p
}
