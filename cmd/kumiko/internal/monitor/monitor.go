package monitor

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sarchlab/akita/v3/monitoring/web"
	"github.com/sarchlab/akita/v3/sim"

	"kumiko/components/wire"
)

// Monitor is a server for one simulation.
type Monitor struct {
	listener net.Listener
	server   http.Server
	loopback bool

	// machine is held while the machine is changed outside a run of the engine, and while its state is read.
	machine sync.Mutex

	mu         sync.Mutex
	engine     *wire.Engine
	components map[string]sim.Component
	names      []string
	buffers    []sim.Buffer
	paused     bool // by the user
	closed     bool
	bars       []*bar
	ticked     map[string]sim.VTimeInSec // time of the last requested tick of a component
}

// Listen binds the monitor to HOST:PORT. Without HOST the loopback interface is used. Port 0 is any free port.
func Listen(address string) (*Monitor, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("%s: expected HOST:PORT", address)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, err
	}
	m := &Monitor{listener: l, components: map[string]sim.Component{}, ticked: map[string]sim.VTimeInSec{}}
	m.loopback = l.Addr().(*net.TCPAddr).IP.IsLoopback()
	m.server = http.Server{Handler: m.guard(m.routes()), ReadHeaderTimeout: 10 * time.Second}
	return m, nil
}

// Loopback reports whether the monitor is reachable only from this machine.
func (m *Monitor) Loopback() bool { return m.loopback }

// URL returns the address of the page.
func (m *Monitor) URL() string { return "http://" + m.listener.Addr().String() }

// Locker returns the lock to hold while changing the machine outside a run of its engine, such as between launches.
func (m *Monitor) Locker() sync.Locker { return &m.machine }

// Serve shows the components of an engine, in the background until Close. If the server ends earlier by an error,
// failed is called with the error, and the simulation continues.
func (m *Monitor) Serve(e *wire.Engine, failed func(error)) {
	m.engine = e
	for _, p := range e.Partitions() {
		for _, d := range p.Domains() {
			for _, c := range d.Components() {
				m.add(c)
			}
		}
	}
	go func() {
		if err := m.server.Serve(m.listener); !errors.Is(err, http.ErrServerClosed) {
			failed(err)
		}
	}()
}

func (m *Monitor) add(c sim.Component) {
	m.names = append(m.names, c.Name())
	m.components[c.Name()] = c
	for _, p := range c.Ports() {
		if b, ok := p.(interface{ Buffer() sim.Buffer }); ok {
			m.buffers = append(m.buffers, b.Buffer())
		}
	}
}

// Close resumes a paused simulation and ends the server.
func (m *Monitor) Close() {
	m.mu.Lock()
	m.closed = true
	served := m.engine != nil
	m.resume()
	m.mu.Unlock()
	if !served {
		m.listener.Close()
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = m.server.Shutdown(ctx) // connections still open end with the process
}

// resume ends a pause requested by the user. mu must be held.
func (m *Monitor) resume() {
	if m.paused {
		m.paused = false
		m.engine.Continue()
	}
}

// look calls f while the machine stands still.
func (m *Monitor) look(f func()) {
	m.machine.Lock()
	defer m.machine.Unlock()
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.paused {
		m.engine.Pause()
		defer m.engine.Continue()
	}
	f()
}

func (m *Monitor) routes() http.Handler {
	r := http.NewServeMux()
	for path, h := range map[string]http.HandlerFunc{
		"/api/now":                  m.now,
		"/api/list_components":      m.list,
		"/api/component/{name}":     m.component,
		"/api/field/{json}":         m.field,
		"/api/hangdetector/buffers": m.levels,
		"/api/progress":             m.progress,
		"/api/resource":             m.resource,
		"/api/traffic/{name}":       func(w http.ResponseWriter, _ *http.Request) { answer(w, []int{}) },
		"/{$}":                      page,
		"/":                         http.FileServer(web.GetAssets()).ServeHTTP,
	} {
		r.HandleFunc(path, only(h, http.MethodGet, http.MethodHead))
	}
	for path, h := range changes(m) {
		r.HandleFunc(path, only(h, http.MethodPost))
	}
	r.HandleFunc("/api/", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "not offered by this monitor", http.StatusNotImplemented)
	})
	return r
}

// changes returns the handlers of requests that change the simulation. They do not accept GET, since any web page
// can make a browser send a GET.
func changes(m *Monitor) map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{"/api/pause": m.pause, "/api/continue": m.goOn, "/api/run": m.goOn,
		"/api/tick/{name}": m.tick}
}

// only refuses requests by another method.
func only(h http.HandlerFunc, methods ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !slices.Contains(methods, r.Method) {
			w.Header().Set("Allow", strings.Join(methods, ", "))
			http.Error(w, fmt.Sprintf("%s: expected %s", r.Method, strings.Join(methods, " or ")),
				http.StatusMethodNotAllowed)
			return
		}
		h(w, r)
	}
}

// guard refuses requests through the user's browser from other web sites to a monitor on the loopback interface.
func (m *Monitor) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" || foreign(r) {
			http.Error(w, "requests of other sites are refused", http.StatusForbidden)
			return
		}
		if m.loopback && !isLocal(r.Host) {
			http.Error(w, "this monitor is for the local machine", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// foreign reports whether a request names another origin than the monitor's page. It is for browsers without
// Sec-Fetch-Site, and checks the Origin or, if missing, the Referer.
func foreign(r *http.Request) bool {
	own := "http://" + r.Host
	for _, origin := range r.Header.Values("Origin") {
		if origin != own {
			return true
		}
	}
	for _, from := range r.Header.Values("Referer") {
		u, err := url.Parse(from)
		if err != nil || u.Scheme+"://"+u.Host != own {
			return true
		}
	}
	return false
}

func isLocal(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = strings.TrimSuffix(strings.TrimPrefix(hostport, "["), "]")
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
