package timeline

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"

	"kumiko/components/arbiter"
	"kumiko/components/bank"
	"kumiko/components/collector"
	"kumiko/components/crossbar"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/memsys/access"
	"kumiko/memsys/l1"
	"kumiko/memsys/port"
	"kumiko/memsys/shared"
	"kumiko/regfile"
	"kumiko/sm"
	"kumiko/sm/execute"
	"kumiko/sm/lsu"
)

// Recorder draws one SM.
//
// Its interior is behind an interface: a package that could see the type of a port would compile the methods of all
// ports anew.
type Recorder struct{ recording }

// recording are the methods of a Recorder.
type recording interface {
	SM() int
	Window() (from, to uint64)
	Log(k *Konata)
	Profile(p *Profile)
	Report() *ProfileReport
	Launch(kernel string, from, to uint64)
	Together(codes []Code)
	Stream(stream int, kernel string, from, to uint64)
	Close(about map[string]string) error
}

// recorder is a Recorder's interior.
type recorder struct {
	w        *writer
	number   int // of the SM
	from, to uint64
	prefix   string // common prefix of the names of the SM's blocks
	domain   *wire.Domain

	launches track
	launched uint64 // cycles in launches
	beside   beside
	warps    warps
	ops      ops
	mem      memory
	atEnd    []func()
	closed   bool
	konata   *Konata  // nil: no Konata log
	profile  *Profile // nil: no profile
}

// New returns a recorder of SM number sm that writes the events of the core cycles from
// to to-1. With a nil w there is no document: the recorder serves a log or a profile alone.
func New(w io.Writer, sm int, from, to uint64) (*Recorder, error) {
	if from >= to {
		return nil, fmt.Errorf("a timeline from cycle %d to cycle %d has no cycle", from, to)
	}
	return &Recorder{&recorder{w: newWriter(w), number: sm, from: from, to: to}}, nil
}

// SM returns the number of the drawn SM.
func (r *recorder) SM() int { return r.number }

// Attach makes a recorder listen to an SM and to the blocks of its clock domain.
func Attach(r *Recorder, s *sm.SM) { r.recording.(*recorder).attach(s) }

func (r *recorder) attach(s *sm.SM) {
	r.domain = s.Residency.Domain()
	r.prefix = strings.TrimSuffix(s.Residency.Name(), "Residency")
	r.w.order("Launches", "Schedulers", "Warps", "Collectors", "Operands", "Banks", "Crossbar", "Execution units",
		"Memory")
	r.launches = r.w.track("Launches", "kernels")
	r.watchSchedulers(s)
	if !r.quiet() {
		r.watchCTAs(s)
	}
	for _, c := range r.domain.Components() {
		switch x := c.(type) {
		case *collector.Set:
			r.watchCollectors(x)
		case *arbiter.Banks:
			r.watchArbiter(x)
		case *bank.Bank:
			r.watchBank(x)
		case *crossbar.Crossbar:
			r.watchCrossbar(x)
		case regfile.Reader:
			r.watchReader(x)
		default:
			if !r.quiet() {
				r.watchOthers(x)
			}
		}
	}
}

// watchOthers listens to a block behind the register file.
func (r *recorder) watchOthers(c wire.Block) {
	switch x := c.(type) {
	case *execute.Unit:
		r.watchUnit(x)
	case *lsu.Unit:
		r.watchLSU(x)
	case *access.Unit:
		r.watchAccess(x)
	case *shared.Memory:
		r.watchShared(x)
	case *l1.Tags:
		r.watchCache(x)
	case *port.Port:
		r.watchPort(x)
	}
}

// quiet reports whether a profile alone is recorded: nothing is drawn, and no log is written.
func (r *recorder) quiet() bool { return r.w.off && r.konata == nil }

// Window returns the drawn cycles: the requested ones, limited to the end of the run once the recorder is closed.
func (r *recorder) Window() (from, to uint64) { return r.from, r.to }

// draws reports whether a cycle is drawn.
func (r *recorder) draws(now uint64) bool { return now >= r.from && now < r.to }

// short returns the name of a block within the SM.
func (r *recorder) short(name string) string {
	return strings.TrimPrefix(strings.TrimPrefix(name, r.prefix), "RegFile.")
}

// Launch draws the run of a kernel between the cycles from and to.
func (r *recorder) Launch(kernel string, from, to uint64) {
	r.profile.launched(kernel)
	if a, b := max(from, r.from), min(to, r.to); a < b {
		r.launched += b - a
		r.w.slice(r.launches, "launch", kernel, a, b).num("launched_at", from).num("retired_at", to).end()
	}
}

// Close ends the open events and completes the document with the
// description in about.
func (r *recorder) Close(about map[string]string) error {
	if r.closed {
		return errors.New("timeline: closed twice")
	}
	r.closed = true
	if r.domain != nil {
		r.to = min(r.to, max(r.domain.Now()+1, r.from))
	}
	for _, f := range r.atEnd {
		f()
	}
	all := map[string]string{"time": "1 us is 1 core cycle", "sm": fmt.Sprint(r.number),
		"window": fmt.Sprintf("%d:%d", r.from, r.to)}
	maps.Copy(all, about)
	if r.konata != nil {
		if err := r.konata.write(r.from, r.to); err != nil {
			return err
		}
	}
	return r.w.close(all)
}

// ops holds the operations in flight that were issued within the window, by the low bits of their tags. A scheduler
// draws its tags in order, so an operation gives way to one that is issued thousands of operations later.
type ops [1 << 14]*operation

// find returns the operation of a tag, or nil.
func (o *ops) find(tag uint32) *operation {
	if x := o[tag%uint32(len(o))]; x != nil && x.tag == tag {
		return x
	}
	return nil
}

// add records an operation.
func (o *ops) add(x *operation) { o[x.tag%uint32(len(o))] = x }

// operation holds the known events of one operation.
type operation struct {
	inst     *ir.Inst
	tag      uint32
	warp     uint16
	exec     uint32
	pc       uint32
	kernel   string // where launches run side by side
	stream   int
	from     track // its collector's track
	since    uint64
	ready    uint64
	operands [ir.NumSources]operand
	writes   [ir.NumDests]place
	n        int // writes known
	// uncounted is set if the profile does not count the operation.
	uncounted bool
}

// operand is a source operand in flight.
type operand struct {
	to                                    track
	requested, granted, started, crossing uint64
	asked                                 uint64 // when the request is visible at the arbiter
	bank                                  uint8
	entry                                 uint32
	under                                 bool
}

type place struct {
	entry uint32
	bank  uint8
	since uint64 // cycle in which the arbiter accepts the write
}

func register(r ir.RegID) string { return fmt.Sprintf("R%d", r) }

func registers(list []ir.RegID) string {
	var b strings.Builder
	for i, r := range list {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(register(r))
	}
	return b.String()
}

// about adds the identification of an operation to an event.
func (w *writer) about(o *operation) *writer {
	if w.off {
		return w
	}
	w.num("tag", uint64(o.tag)).num("warp", uint64(o.warp)).str("instruction", o.inst.String())
	if o.kernel != "" {
		w.str("kernel", o.kernel).num("stream", uint64(o.stream))
	}
	return w
}
