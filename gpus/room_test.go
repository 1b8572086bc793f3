package gpus_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
)

// number matches the number in a block's or port's name. Similar blocks differ only in it.
var number = regexp.MustCompile(`\[[^\]]*\]`)

// tight lists the links of a machine with an input port smaller than needed for a stream of one message per cycle:
// latency + 1 messages or, between clock domains, where credits return over the link, 2 x latency + 1.
func tight(m *gpus.Machine, into map[string]string) error {
	s, err := m.Structure(0)
	if err != nil {
		return err
	}
	type end struct{ block, port string }
	room, domain := map[end]int{}, map[string]string{}
	for _, b := range s.Blocks {
		domain[b.Name] = b.Domain
		for _, p := range b.Ports {
			if p.Direction == "in" {
				room[end{b.Name, p.Name}] = p.Capacity
			}
		}
	}
	for _, l := range s.Links {
		need := int(l.Latency) + 1
		if domain[l.From] != domain[l.To] {
			need += int(l.Latency)
		}
		if has := room[end{l.To, l.Input}]; has < need {
			name := number.ReplaceAllString(strings.TrimPrefix(l.To, "GPU.")+"."+l.Input, "")
			into[name] = fmt.Sprintf("from %s over %d cycles: room for %d, want %d", l.From, l.Latency, has, need)
		}
	}
	return nil
}

// roomy has the permitted smaller ports, with the reasons.
var roomy = map[string]string{
	"Dispatcher.Credits":   "a message for each CTA that retires or finds room: the port holds two for each CTA",
	"SM.Residency.Grants":  "a grant needs room for a CTA, of which the dispatcher has been told",
	"SM.Scheduler.Fetched": "an instruction on the link has an entry of its warp's buffer",
}

// raised returns the settings that lengthen a GPU's links by 30 cycles each, except settings the GPU refuses on
// their own.
func raised(gpu, design string, c *config.Config) (set []string) {
	for _, p := range c.Params() {
		n, ok := p.Value.(int)
		if !ok || n == 0 || !strings.Contains(p.Key, "latency") || strings.Contains(p.Key, ".units.") {
			continue
		}
		s := fmt.Sprintf("%s=%d", p.Key, n+30)
		if _, err := config.Load(config.Request{GPU: gpu, Design: design, Set: []string{s}}); err == nil {
			set = append(set, s)
		}
	}
	return set
}

// A constant capacity on a link with a configurable latency would silently limit throughput.
func TestEveryLinkHasRoomForAStreamOrAReason(t *testing.T) {
	list, err := config.Designs()
	if err != nil {
		t.Fatal(err)
	}
	machines, least, used := 0, 40, map[string]bool{}
	presets := append([]string{""}, names(list)...)
	if testing.Short() {
		presets, least = machinetest.Part(3, presets), 10
	}
	for _, gpu := range config.Names() {
		if testing.Short() && gpu != "gtx980" {
			continue
		}
		for _, design := range presets {
			request := config.Request{GPU: gpu, Design: design, Set: []string{"slice.sms=1"}}
			c, err := config.Load(request)
			if err != nil {
				continue // not every design is for every GPU
			}
			for _, set := range [][]string{nil, raised(gpu, design, c)} {
				request.Set = append([]string{"slice.sms=1"}, set...)
				if c, err = config.Load(request); err != nil {
					t.Fatal(err)
				}
				m, err := gpus.New(c, gpus.Options{})
				if err != nil {
					continue
				}
				found := map[string]string{}
				if err := tight(m, found); err != nil {
					t.Fatal(err)
				}
				machines++
				for port, what := range found {
					if used[port] = true; roomy[port] == "" {
						t.Errorf("%s, design %q, %d latencies raised: %s, %s", gpu, design, len(set), port, what)
					}
				}
			}
		}
	}
	if machines < least {
		t.Errorf("%d machines were assembled, want at least %d", machines, least)
	}
	for port := range roomy {
		if !used[port] && !testing.Short() {
			t.Errorf("port %s needs no reason", port)
		}
	}
}

func names(list []config.Design) (out []string) {
	for _, d := range list {
		out = append(out, d.Name)
	}
	return out
}
