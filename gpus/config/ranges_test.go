package config

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// Every setting with a range is refused just outside it, by name, in some machine of each register file. Other
// machines may refuse it for another reason first: it has no effect there, or a neighbour depends on it.
func TestASettingOutsideItsRangeIsRefusedWithTheRange(t *testing.T) {
	designs, err := Designs()
	if err != nil {
		t.Fatal(err)
	}
	requests := []Request{{GPU: "rtx-a6000"}, {GPU: "gtx980"}, {GPU: "fermi"}}
	for _, d := range designs {
		requests = append(requests, Request{GPU: "gtx980", Design: d.Name})
	}
	refused := map[string]bool{}
	for _, r := range requests {
		c, err := Load(r)
		if err != nil {
			continue // a preset of other GPUs
		}
		for _, p := range c.Params() {
			low, high, _ := strings.Cut(p.Range, " to ")
			for bound, step := range map[string]int{low: -1, high: 1} {
				v, err := strconv.Atoi(bound)
				if key := p.Key + "=" + bound; err == nil && !refused[key] {
					r.Set = []string{fmt.Sprintf("%s=%d", p.Key, v+step)}
					_, err := Load(r)
					want := fmt.Sprintf("%s: found %d, expected %s", p.Key, v+step, p.Range)
					refused[key] = err != nil && strings.Contains(err.Error(), want)
				}
			}
		}
	}
	if len(refused) < 100 {
		t.Errorf("%d bounds, want more", len(refused))
	}
	for key, ok := range refused {
		if !ok {
			t.Errorf("no refusal beyond %s", key)
		}
	}
}
