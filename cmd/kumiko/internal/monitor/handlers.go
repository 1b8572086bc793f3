package monitor

import (
	"encoding/json"
	"fmt"
	"net/http"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sarchlab/akita/v3/sim"
)

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // the client may be gone
}

func (m *Monitor) pause(http.ResponseWriter, *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.paused && !m.closed {
		m.paused = true
		m.engine.Pause()
	}
}

func (m *Monitor) goOn(http.ResponseWriter, *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.resume()
}

func (m *Monitor) now(w http.ResponseWriter, _ *http.Request) {
	fmt.Fprintf(w, `{"now":%.10f}`, m.engine.CurrentTime())
}

func (m *Monitor) list(w http.ResponseWriter, _ *http.Request) { answer(w, m.names) }

// named returns the component of a name. If there is none, it answers with an error and returns nil.
func (m *Monitor) named(w http.ResponseWriter, name string) sim.Component {
	c := m.components[name]
	if c == nil {
		http.Error(w, "component not found", http.StatusNotFound)
	}
	return c
}

// tick requests a tick of a component. At most one tick of each component may be pending: the engine keeps pending
// ticks in memory.
func (m *Monitor) tick(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	c := m.named(w, name)
	if c == nil {
		return
	}
	t, ok := c.(interface{ TickLater(sim.VTimeInSec) })
	if !ok {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.engine.CurrentTime()
	if last, ok := m.ticked[name]; ok && last == now {
		http.Error(w, "a tick of "+name+" is waiting until the simulation goes on", http.StatusServiceUnavailable)
		return
	}
	m.ticked[name] = now
	t.TickLater(now)
}

func (m *Monitor) component(w http.ResponseWriter, r *http.Request) {
	if c := m.named(w, r.PathValue("name")); c != nil {
		m.show(w, c, nil)
	}
}

// field shows the value reached by a chain of field names.
func (m *Monitor) field(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Comp  string `json:"comp_name"`
		Field string `json:"field_name"`
	}
	if err := json.Unmarshal([]byte(r.PathValue("json")), &q); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if c := m.named(w, q.Comp); c != nil {
		m.show(w, c, strings.Split(q.Field, "."))
	}
}

func (m *Monitor) show(w http.ResponseWriter, c sim.Component, fields []string) {
	var doc []byte
	var err error
	m.look(func() { doc, err = encode(c, fields) })
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(doc) // the client may be gone
}

// level is the fill level of a buffer.
type level struct {
	Buffer string `json:"buffer"`
	Level  int    `json:"level"`
	Cap    int    `json:"cap"`
}

func (l *level) percent() float64 { return float64(l.Level) / float64(max(l.Cap, 1)) }

// levels lists the fullest buffers.
func (m *Monitor) levels(w http.ResponseWriter, r *http.Request) {
	limit, offset := len(m.buffers), 0
	for name, v := range map[string]*int{"limit": &limit, "offset": &offset} {
		s := r.URL.Query().Get(name)
		if !r.URL.Query().Has(name) {
			continue
		}
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 {
			http.Error(w, fmt.Sprintf("%s=%s: expected a number", name, s), http.StatusBadRequest)
			return
		}
		*v = n
	}
	order := func(a, b level) float64 { return b.percent() - a.percent() }
	switch s := r.URL.Query().Get("sort"); s {
	case "", "percent":
	case "level":
		order = func(a, b level) float64 { return float64(b.Level - a.Level) }
	default:
		http.Error(w, fmt.Sprintf("sort=%s: expected level or percent", s), http.StatusBadRequest)
		return
	}
	all := make([]level, 0, len(m.buffers))
	m.look(func() {
		for _, b := range m.buffers {
			all = append(all, level{b.Name(), b.Size(), b.Capacity()})
		}
	})
	slices.SortStableFunc(all, func(a, b level) int {
		switch d := order(a, b); {
		case d < 0:
			return -1
		case d > 0:
			return 1
		}
		return b.Level - a.Level
	})
	all = all[min(offset, len(all)):]
	answer(w, all[:min(limit, len(all))])
}

// bar is a progress bar in the format of Akita's page.
type bar struct {
	ID         string    `json:"id"`
	Name       string    `json:"name"`
	StartTime  time.Time `json:"start_time"`
	Total      uint64    `json:"total"`
	Finished   uint64    `json:"finished"`
	InProgress uint64    `json:"in_progress"`
}

// Progress sets the progress of a named piece of work. A new name starts a new bar.
func (m *Monitor) Progress(name string, finished, total int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.bars) == 0 || m.bars[0].Name != name || uint64(finished) < m.bars[0].Finished {
		m.bars = []*bar{{ID: strconv.FormatInt(time.Now().UnixNano(), 36), Name: name, StartTime: time.Now(),
			Total: uint64(total)}}
	}
	m.bars[0].Finished = uint64(finished)
}

func (m *Monitor) progress(w http.ResponseWriter, _ *http.Request) {
	m.mu.Lock()
	bars := []bar{}
	for _, b := range m.bars {
		bars = append(bars, *b)
	}
	m.mu.Unlock()
	answer(w, bars)
}

// resource answers with the memory of the process and the mean processor use since the process started, as of the
// last garbage collection.
func (m *Monitor) resource(w http.ResponseWriter, _ *http.Request) {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/cpu/classes/user:cpu-seconds"},
		{Name: "/cpu/classes/total:cpu-seconds"}, {Name: "/sched/gomaxprocs:threads"}}
	metrics.Read(s)
	cpu := 0.0
	if total := s[2].Value.Float64(); total > 0 {
		cpu = 100 * s[1].Value.Float64() / total * float64(s[3].Value.Uint64())
	}
	answer(w, map[string]any{"memory_size": s[0].Value.Uint64(), "cpu_percent": cpu})
}
