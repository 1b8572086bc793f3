package wire_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sarchlab/akita/v3/monitoring"
	"github.com/sarchlab/akita/v3/sim"

	"kumiko/components/wire"
)

// freePort returns an unused TCP port.
func freePort(t *testing.T) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip("no loopback interface: ", err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port
}

// pusher always has something to send.
type pusher struct {
	wire.Comp
	Out wire.OutPort[word]
}

func (p *pusher) Tick(wire.Cycle) bool {
	if p.Out.CanPut() {
		p.Out.Put(1)
	}
	return true
}

// sleeper takes nothing. When it is woken later on, it ends the simulation.
type sleeper struct {
	wire.Comp
	In     wire.InPort[word]
	Ticks  int
	engine *wire.Engine
}

func (s *sleeper) Tick(now wire.Cycle) bool {
	s.Ticks++
	if now > 10 {
		s.engine.Stop()
	}
	return false
}

// A monitor registers itself with the default mux of the process. The mux does not accept a second one, so this is
// one test, and each run of it has a new mux.
func TestAkitasMonitorWatchesAndSteersASimulationOfOurs(t *testing.T) {
	e := wire.NewEngine()
	d := e.NewDomain("Core", sim.GHz)
	a, b := &pusher{}, &sleeper{engine: e}
	a.Init("A", d, a)
	a.Out.Init(&a.Comp, "Out")
	b.Init("B", d, b)
	b.In.Init(&b.Comp, "In", 3)
	wire.Connect(&a.Out, &b.In, 1)
	port := freePort(t)
	m := monitoring.NewMonitor().WithPortNumber(port)
	m.RegisterEngine(e)
	m.RegisterComponent(a)
	m.RegisterComponent(b)
	http.DefaultServeMux = http.NewServeMux()
	m.StartServer()
	get := func(path string) string {
		resp, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/api/%s", port, path))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = resp.Body.Close() }()
		text, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d %s %v", path, resp.StatusCode, text, err)
		}
		return string(text)
	}
	now := func() float64 {
		var x struct{ Now float64 }
		if err := json.Unmarshal([]byte(get("now")), &x); err != nil {
			t.Fatal(err)
		}
		return x.Now
	}

	done := make(chan error)
	go func() { done <- e.Run() }()
	for now() == 0 {
		time.Sleep(time.Millisecond)
	}
	get("pause")
	if was := now(); was != now() {
		t.Error("time goes on while paused")
	}
	if got := get("list_components"); got != `["A","B"]` {
		t.Errorf("components %s", got)
	}
	if got := get("hangdetector/buffers?sort=level&limit=1"); got != `[{"buffer":"B.In.Buf","level":3,"cap":3}]` {
		t.Errorf("buffers %s", got)
	}
	if got := get("component/B"); !strings.Contains(got, `"Ticks"`) {
		t.Errorf("component %s", got)
	}
	get("continue")
	get("tick/B")
	if err := <-done; err != nil {
		t.Error(err)
	}
}
