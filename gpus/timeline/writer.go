package timeline

import (
	"bufio"
	"encoding/json"
	"io"
	"strconv"
	"strings"
)

// writer writes events in the Trace Event Format (Google, "Trace Event Format",
// object form): complete events X, flow events s, t and f, metadata M.
type writer struct {
	w     *bufio.Writer
	buf   []byte
	n     uint64
	err   error
	names map[string]int // process groups
	tids  []int          // tracks of each group
	off   bool           // nothing is written
}

// track is a line of the drawing.
type track struct{ pid, tid int }

func newWriter(w io.Writer) *writer {
	t := &writer{names: map[string]int{}, tids: []int{0}, off: w == nil}
	if t.off {
		w = io.Discard
	}
	t.w = bufio.NewWriterSize(w, 1<<16)
	t.put(`{"displayTimeUnit":"ns","traceEvents":[`)
	return t
}

func (t *writer) put(s string) {
	if t.err == nil {
		_, t.err = t.w.WriteString(s)
	}
}

// order creates the groups in their order on the page.
func (t *writer) order(groups ...string) {
	for i, g := range groups {
		k := track{i + 1, 0}
		t.names[g] = k.pid
		t.tids = append(t.tids, 0)
		t.meta("process_name", k, "name", g)
		t.metaNumber("process_sort_index", k, "sort_index", k.pid)
	}
}

// track adds a track to a group.
func (t *writer) track(group, name string) track {
	pid := t.names[group]
	t.tids[pid]++
	k := track{pid, t.tids[pid]}
	t.meta("thread_name", k, "name", name)
	t.metaNumber("thread_sort_index", k, "sort_index", k.tid)
	return k
}

func (t *writer) meta(what string, k track, key, value string) {
	t.begin("M", what, k, 0).args().str(key, value).end()
}

func (t *writer) metaNumber(what string, k track, key string, value int) {
	t.begin("M", what, k, 0).args().num(key, uint64(value)).end()
}

// begin starts an event; end finishes it.
func (t *writer) begin(phase, name string, k track, ts uint64) *writer {
	t.buf = t.buf[:0]
	if t.off {
		return t
	}
	if t.n > 0 {
		t.buf = append(t.buf, ',')
	}
	t.n++
	t.buf = append(t.buf, "\n{\"ph\":\""...)
	t.buf = append(t.buf, phase...)
	t.buf = append(t.buf, `","name":`...)
	t.buf = appendString(t.buf, name)
	t.buf = append(t.buf, `,"pid":`...)
	t.buf = strconv.AppendInt(t.buf, int64(k.pid), 10)
	t.buf = append(t.buf, `,"tid":`...)
	t.buf = strconv.AppendInt(t.buf, int64(k.tid), 10)
	t.buf = append(t.buf, `,"ts":`...)
	t.buf = strconv.AppendUint(t.buf, ts, 10)
	return t
}

// slice begins a complete event from cycle from to cycle to, exclusive.
func (t *writer) slice(k track, category, name string, from, to uint64) *writer {
	t.begin("X", name, k, from)
	if t.off {
		return t
	}
	t.buf = append(t.buf, `,"dur":`...)
	t.buf = strconv.AppendUint(t.buf, to-from, 10)
	t.buf = append(t.buf, `,"cat":"`...)
	t.buf = append(t.buf, category...)
	t.buf = append(t.buf, '"')
	return t.args()
}

// flow writes a point of an arrow: its start s, a step t or its end f. The point is attached to the slice at time
// ts on the track.
func (t *writer) flow(phase, category string, id uint64, k track, ts uint64) {
	t.begin(phase, category, k, ts)
	if t.off {
		return
	}
	t.buf = append(t.buf, `,"cat":"`...)
	t.buf = append(t.buf, category...)
	t.buf = append(t.buf, `","id":`...)
	t.buf = strconv.AppendUint(t.buf, id, 10)
	if phase == "f" {
		t.buf = append(t.buf, `,"bp":"e"`...)
	}
	t.buf = append(t.buf, '}')
	t.flush()
}

func (t *writer) args() *writer {
	if t.off {
		return t
	}
	t.buf = append(t.buf, `,"args":{`...)
	return t
}

func (t *writer) key(k string) {
	if t.buf[len(t.buf)-1] != '{' {
		t.buf = append(t.buf, ',')
	}
	t.buf = append(t.buf, '"')
	t.buf = append(t.buf, k...)
	t.buf = append(t.buf, `":`...)
}

func (t *writer) str(k, v string) *writer {
	if t.off {
		return t
	}
	t.key(k)
	t.buf = appendString(t.buf, v)
	return t
}

func (t *writer) num(k string, v uint64) *writer {
	if t.off {
		return t
	}
	t.key(k)
	t.buf = strconv.AppendUint(t.buf, v, 10)
	return t
}

func (t *writer) hex(k string, v uint64) *writer {
	if t.off {
		return t
	}
	t.key(k)
	t.buf = append(t.buf, `"0x`...)
	t.buf = strconv.AppendUint(t.buf, v, 16)
	t.buf = append(t.buf, '"')
	return t
}

func (t *writer) end() {
	if t.off {
		return
	}
	t.buf = append(t.buf, "}}"...)
	t.flush()
}

func (t *writer) flush() {
	if t.err == nil {
		_, t.err = t.w.Write(t.buf)
	}
}

// close ends the document. about describes its contents.
func (t *writer) close(about map[string]string) error {
	b, err := json.Marshal(about)
	if err != nil {
		return err
	}
	if t.off {
		return nil
	}
	t.put("\n],\"otherData\":" + string(b) + "}\n")
	if t.err == nil {
		t.err = t.w.Flush()
	}
	return t.err
}

// appendString appends a JSON string. It is fast for plain ASCII, the usual case.
func appendString(b []byte, s string) []byte {
	if strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r > '~' }) < 0 {
		b = append(b, '"')
		b = append(b, s...)
		return append(b, '"')
	}
	q, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string
	}
	return append(b, q...)
}

// lanes draws possibly overlapping events of one kind on as many tracks as needed.
type lanes struct {
	w           *writer
	group, name string
	tracks      []track
	free        []uint64 // first cycle in which each track is free; open: in use
}

const open = ^uint64(0)

// freeTrack returns a track on which nothing is drawn in cycle now, and its number, and reserves it until cycle until.
func (l *lanes) freeTrack(now, until uint64) (track, int) {
	for i, f := range l.free {
		if f <= now {
			l.free[i] = until
			return l.tracks[i], i
		}
	}
	name := l.name
	if len(l.tracks) > 0 {
		name += " (" + strconv.Itoa(len(l.tracks)+1) + ")"
	}
	l.tracks = append(l.tracks, l.w.track(l.group, name))
	l.free = append(l.free, until)
	return l.tracks[len(l.tracks)-1], len(l.tracks) - 1
}
