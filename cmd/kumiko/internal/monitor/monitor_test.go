package monitor

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/sarchlab/akita/v3/sim"

	"pgregory.net/rapid"

	"kumiko/components/wire"
)

type word uint64

// busy sends endlessly to a block that accepts nothing.
type busy struct {
	wire.Comp
	Out  wire.OutPort[word]
	grid [3]int
	f    func()
	text string
	null *busy
	*embedded
	list []word
	m    map[string]int
}

func (b *busy) Tick(wire.Cycle) bool {
	if b.Out.CanPut() {
		b.Out.Put(1)
	}
	return true
}

// embedded is a nil embedded part of busy.
type embedded struct{ Hidden int }

type full struct {
	wire.Comp
	In wire.InPort[word]
}

func (f *full) Tick(wire.Cycle) bool { return false }

// watched returns a running engine of two blocks with a monitor on a free port.
func watched(t *testing.T, address string) (*Monitor, func(path string) (int, string)) {
	m, ask := asked(t, address)
	return m, func(path string) (int, string) { return ask(http.MethodGet, path) }
}

// asked is like watched, for any method.
func asked(t *testing.T, address string) (*Monitor, func(method, path string) (int, string)) {
	t.Helper()
	e := wire.NewEngine()
	d := e.NewDomain("Core", sim.GHz)
	a := &busy{null: nil, grid: [3]int{4, 5, 6}, f: func() {}, text: "a \"quoted\"\nline", list: []word{7},
		m: map[string]int{"k": 1}}
	b := &full{}
	a.Init("A", d, a)
	a.Out.Init(&a.Comp, "Out")
	b.Init("B", d, b)
	b.In.Init(&b.Comp, "In", 3)
	wire.Connect(&a.Out, &b.In, 1)
	m, err := Listen(address)
	if err != nil {
		t.Skip("no loopback interface: ", err)
	}
	m.Serve(e, func(err error) { t.Error(err) })
	done := make(chan error)
	go func() { done <- e.Run() }()
	t.Cleanup(func() {
		m.Close()
		e.Stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return m, func(method, path string) (int, string) {
		r, err := http.NewRequest(method, m.URL()+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, strings.TrimSpace(string(text))
	}
}

func TestAServerThatEndsByItselfIsReported(t *testing.T) {
	m, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Skip("no loopback interface: ", err)
	}
	if err := m.listener.Close(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	m.Serve(wire.NewEngine(), func(err error) { ended <- err })
	select {
	case err := <-ended:
		if !errors.Is(err, net.ErrClosed) {
			t.Errorf("%v, want %v", err, net.ErrClosed)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("nothing is reported")
	}
}

func TestTheMonitorShowsAndSteersASimulation(t *testing.T) {
	_, ask := asked(t, "127.0.0.1:0")
	get := func(path string) (int, string) { return ask(http.MethodGet, path) }
	now := func() float64 {
		_, text := get("/api/now")
		var x struct{ Now float64 }
		if err := json.Unmarshal([]byte(text), &x); err != nil {
			t.Fatal(err)
		}
		return x.Now
	}
	for start := now(); now() == start; {
		time.Sleep(time.Millisecond)
	}
	ask(http.MethodPost, "/api/pause")
	ask(http.MethodPost, "/api/pause") // twice is once
	if was := now(); was != now() {
		t.Error("time goes on while paused")
	}
	for path, want := range map[string]string{
		"/api/list_components":                         `["A","B"]`,
		"/api/hangdetector/buffers?sort=level&limit=9": `[{"buffer":"B.In.Buf","level":3,"cap":3}]`,
		"/api/hangdetector/buffers?offset=5":           `[]`,
		"/api/progress":                                `[]`,
		"/api/traffic/A":                               `[]`,
	} {
		if status, got := get(path); status != http.StatusOK || got != want {
			t.Errorf("%s: %d %s, want %s", path, status, got, want)
		}
	}
	for path, want := range map[string]int{"/api/component/C": 404, "/api/field/x": 400, "/api/profile": 501,
		"/api/hangdetector/buffers?sort=name": 400, "/api/hangdetector/buffers?limit=-1": 400, "/api/resource": 200} {
		if status, _ := get(path); status != want {
			t.Errorf("%s: status %d, want %d", path, status, want)
		}
	}
	if status, text := get("/"); status != http.StatusOK || !strings.HasPrefix(text, "<!DOCTYPE html>") {
		t.Errorf("page: %d %.40s", status, text)
	}
	for path, want := range map[string]int{"/api/tick/B": 200, "/api/tick/C": 404} {
		if status, _ := ask(http.MethodPost, path); status != want {
			t.Errorf("%s: status %d, want %d", path, status, want)
		}
	}
	ask(http.MethodPost, "/api/continue")
	for was := now(); now() == was; {
		time.Sleep(time.Millisecond)
	}
}

func TestTicksThatWaitForTheSimulationAreBounded(t *testing.T) {
	m, ask := asked(t, "127.0.0.1:0")
	ask(http.MethodPost, "/api/pause")
	for _, x := range []struct {
		name string
		want int
	}{{"A", 200}, {"A", 503}, {"A", 503}, {"B", 200}, {"B", 503}} {
		if status, text := ask(http.MethodPost, "/api/tick/"+x.name); status != x.want {
			t.Errorf("%s: %d %s, want %d", x.name, status, text, x.want)
		}
	}
	was := m.engine.CurrentTime()
	ask(http.MethodPost, "/api/continue")
	for m.engine.CurrentTime() == was {
		time.Sleep(time.Millisecond)
	}
	if status, text := ask(http.MethodPost, "/api/tick/A"); status != http.StatusOK {
		t.Errorf("when the simulation has gone on: %d %s", status, text)
	}
}

func TestFieldsOfEveryKindAreShown(t *testing.T) {
	_, get := watched(t, "127.0.0.1:0")
	type doc struct {
		R    string
		Dict map[string]struct {
			K int
			V any
			L *int
		}
	}
	show := func(path string) doc {
		status, text := get(path)
		var d doc
		if err := json.Unmarshal([]byte(text), &d); err != nil || status != http.StatusOK {
			t.Fatalf("%s: %d %v in %s", path, status, err, text)
		}
		return d
	}
	d := show("/api/component/A")
	root := d.Dict[d.R].V.(map[string]any)
	field := func(name string) any { return d.Dict[root[name].(string)].V }
	if field("text") != "a \"quoted\"\nline" || field("f") != "func" || field("null") != nil {
		t.Errorf("text %v, function %v, nil %v", field("text"), field("f"), field("null"))
	}
	if n := d.Dict[root["grid"].(string)].L; n == nil || *n != 3 {
		t.Errorf("length of an array: %v", n)
	}
	for name, want := range map[string]float64{"grid.1": 5, "list.0": 7, "m.k": 1} {
		q, _ := json.Marshal(map[string]string{"comp_name": "A", "field_name": name})
		d := show("/api/field/" + url.PathEscape(string(q)))
		if d.Dict[d.R].V != want {
			t.Errorf("%s is %v, want %v", name, d.Dict[d.R].V, want)
		}
	}
	for _, bad := range []string{"nothing", "grid.3", "text.x"} {
		q, _ := json.Marshal(map[string]string{"comp_name": "A", "field_name": bad})
		if status, _ := get("/api/field/" + url.PathEscape(string(q))); status != http.StatusBadRequest {
			t.Errorf("%s: status %d", bad, status)
		}
	}
}

func TestTheMonitorListensWhereItIsToldAndNowhereElse(t *testing.T) {
	for _, address := range []string{"127.0.0.1:0", ":0", "localhost:0"} {
		m, err := Listen(address)
		if err != nil {
			t.Skip("no loopback interface: ", err)
		}
		if ip := m.listener.Addr().(*net.TCPAddr).IP; !ip.IsLoopback() || !m.Loopback() {
			t.Errorf("%s: listens on %s", address, ip)
		}
		m.Close()
	}
	for _, bad := range []string{"8080", "127.0.0.1", "127.0.0.1:x", "256.0.0.1:0"} {
		if _, err := Listen(bad); err == nil {
			t.Errorf("%s was accepted", bad)
		}
	}
}

func TestRequestsOfOtherSitesAreRefused(t *testing.T) {
	m, _ := watched(t, "127.0.0.1:0")
	const evil = "http://evil.example"
	for _, bad := range []struct{ host, site, origin, referer string }{{"evil.example", "", "", ""},
		{"", "cross-site", "", ""}, {"", "", evil, ""}, {"", "", "null", ""},
		{"", "", "", evil + "/page.html"}, {"", "", "", m.URL() + ".evil.example/"},
		{"", "", "", "https" + m.URL()[4:]}, {"", "", "", "://"}, {"", "same-origin", m.URL(), evil}} {
		r, err := http.NewRequest(http.MethodPost, m.URL()+"/api/pause", nil)
		if err != nil {
			t.Fatal(err)
		}
		if bad.host != "" {
			r.Host = bad.host
		}
		for name, value := range map[string]string{"Sec-Fetch-Site": bad.site, "Origin": bad.origin,
			"Referer": bad.referer} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusForbidden {
			t.Errorf("%+v: status %d", bad, resp.StatusCode)
		}
	}
}

func TestTheMonitorsOwnPageMaySteer(t *testing.T) {
	m, _ := watched(t, "127.0.0.1:0")
	r, err := http.NewRequest(http.MethodPost, m.URL()+"/api/pause", nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"Sec-Fetch-Site": "same-origin", "Origin": m.URL(),
		"Referer": m.URL() + "/?component=A"} {
		r.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Errorf("status %d", resp.StatusCode)
	}
}

func TestWhatChangesTheSimulationIsAskedByPOSTAlone(t *testing.T) {
	m, ask := asked(t, "127.0.0.1:0")
	if len(changes(m)) != 4 {
		t.Errorf("%d requests change the simulation, want 4", len(changes(m)))
	}
	for pattern := range changes(m) {
		path := strings.Replace(pattern, "{name}", "B", 1)
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPut, http.MethodDelete} {
			if status, _ := ask(method, path); status != http.StatusMethodNotAllowed {
				t.Errorf("%s %s: status %d", method, path, status)
			}
		}
		if status, _ := ask(http.MethodPost, path); status != http.StatusOK {
			t.Errorf("POST %s: status %d", path, status)
		}
	}
	for _, path := range []string{"/api/now", "/api/list_components", "/api/component/A", "/api/hangdetector/buffers",
		"/api/progress", "/api/resource", "/", "/assets/"} {
		if status, _ := ask(http.MethodPost, path); status != http.StatusMethodNotAllowed {
			t.Errorf("POST %s: status %d", path, status)
		}
	}
	if status, text := ask(http.MethodGet, "/"); status != http.StatusOK ||
		strings.Index(text, "method: 'POST'") > strings.Index(text, "/assets/index-") ||
		!strings.Contains(text, "method: 'POST'") {
		t.Errorf("the page does not ask by POST: %d %.300s", status, text)
	}
}

// Every request gets an answer: a panicking handler would close the connection.
func TestEveryRequestHasAnAnswer(t *testing.T) {
	_, get := watched(t, "127.0.0.1:0")
	for query, want := range map[string]string{
		"limit=9223372036854775807&offset=1": `[]`, "limit=9223372036854775807&offset=9223372036854775807": `[]`,
		"offset=0&limit=9223372036854775807": `[{"buffer":"B.In.Buf","level":3,"cap":3}]`,
		"limit=0":                            `[]`,
		"limit=99999999999999999999":         "limit=99999999999999999999: expected a number",
		"limit=":                             "limit=: expected a number", "offset=-1": "offset=-1: expected a number",
		"limit=1&limit=2": `[{"buffer":"B.In.Buf","level":3,"cap":3}]`,
	} {
		if _, got := get("/api/hangdetector/buffers?" + query); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.SampledFrom([]string{"A", "B", "grid", "list", "m", "null", "text", "0", "-1",
			"9223372036854775808", "Comp", "Out", "f", "", ".", "\x00", "none", "Hidden"})
		q, _ := json.Marshal(map[string]string{"comp_name": rapid.SampledFrom([]string{"A", "B", "C", ""}).Draw(t,
			"component"), "field_name": strings.Join(rapid.SliceOfN(part, 0, 4).Draw(t, "fields"), ".")})
		for _, path := range []string{"/api/field/" + url.PathEscape(string(q)), "/api/component/" +
			url.PathEscape(part.Draw(t, "name")), "/api/traffic/" + url.PathEscape(part.Draw(t, "name"))} {
			if status, text := get(path); status >= 500 && status != http.StatusNotImplemented {
				t.Fatalf("%s: %d %s", path, status, text)
			}
		}
	})
}
