package streams

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Policy selects the entry to replace.
type Policy uint8

// Policies.
const (
	// FIFO: the oldest entry. A result overwriting an entry does not change its age.
	FIFO Policy = iota
	// LRU: the entry least recently read or written.
	LRU
	// Aware: the oldest entry not read before the warp's next suspension, or else the oldest. A result not read
	// before the suspension bypasses the cache (Gebhart et al., section 5.3, last paragraph).
	Aware
)

var policyNames = [...]string{"fifo", "lru", "aware"}

// Config is one register file cache of a warp.
type Config struct {
	Policy  Policy
	Source  bool // missing operands are allocated too
	Bypass  bool // results of long-latency operations are not
	Flush   bool // emptied at each suspension
	Entries int  // All: as many as there are registers
}

// All is a sufficient number of entries for any kernel.
const All = 256

// sizes are the numbers of entries simulated by a Collector; 0 needs no
// simulation.
var sizes = [16]int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 32, All}

// Family returns the name of the configuration without its size and without live,
// parts joined by dots: fifo.bypass.flush.
func (c Config) Family() string {
	name := policyNames[c.Policy]
	for _, p := range []struct {
		on   bool
		name string
	}{{c.Source, ".source"}, {c.Bypass, ".bypass"}, {c.Flush, ".flush"}} {
		if p.on {
			name += p.name
		}
	}
	return name
}

// Path returns the path of the configuration in a Summary, with dead values dropped (live) or
// written back.
func (c Config) Path(live bool) string {
	name := "caches." + c.Family()
	if live {
		name += ".live"
	}
	return name + "." + entriesName(c.Entries)
}

func entriesName(n int) string {
	if n >= All {
		return "all"
	}
	return strconv.Itoa(n)
}

// ParseConfig reads a path of a configuration, with or without the leading "caches.".
func ParseConfig(path string) (c Config, live bool, err error) {
	fail := func(found, want string) (Config, bool, error) {
		return Config{}, false, fmt.Errorf("register file cache %q: found %q, expected %s", path, found, want)
	}
	parts := strings.Split(strings.TrimPrefix(path, "caches."), ".")
	last := len(parts) - 1
	switch parts[0] {
	case "fifo":
	case "lru":
		c.Policy = LRU
	case "aware":
		c.Policy = Aware
	default:
		return fail(parts[0], "fifo, lru or aware")
	}
	flags := []struct {
		name string
		at   *bool
	}{{"source", &c.Source}, {"bypass", &c.Bypass}, {"flush", &c.Flush}, {"live", &live}}
	i := 1
	for _, f := range flags {
		if i < last && parts[i] == f.name {
			*f.at = true
			i++
		}
	}
	if i != last {
		return fail(strings.Join(parts[min(i, last):], "."),
			"source, bypass, flush, live, in this order, and a number of entries")
	}
	if parts[last] == "all" {
		c.Entries = All
	} else if c.Entries, err = strconv.Atoi(parts[last]); err != nil || !simulated(c.Entries) {
		return fail(parts[last], "0 to 13, 16, 32 or all entries")
	}
	if !slices.Contains(Families(), Config{c.Policy, c.Source, c.Bypass, c.Flush, 0}) {
		return fail(c.Family(), "one of "+familyNames())
	}
	return c, live, nil
}

func simulated(n int) bool { return n >= 0 && n <= 13 || n == 16 || n == 32 }

// Families returns the configurations simulated by a Collector, one for all sizes.
func Families() []Config {
	var out []Config
	for _, p := range []Policy{FIFO, LRU, Aware} {
		for _, source := range []bool{false, true} {
			for mode := range modes {
				if hasMode(p, source, mode) && (p != Aware || !source) {
					out = append(out, Config{Policy: p, Source: source, Bypass: mode&modeBypass != 0,
						Flush: mode&modeFlush != 0})
				}
			}
		}
	}
	return out
}

func familyNames() string {
	var out []string
	for _, c := range Families() {
		out = append(out, c.Family())
	}
	return strings.Join(out, ", ")
}
