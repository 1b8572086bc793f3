package area

import (
	"fmt"
	"regexp"
	"strconv"
)

// Ports counts the ports of an array.
type Ports struct {
	Both   int // for reads and writes
	Reads  int
	Writes int
}

// portNames matches the ports of a row of storage: 1rw, 2r1w.
var portNames = regexp.MustCompile(`^(?:(\d+)rw)?(?:(\d+)r)?(?:(\d+)w)?$`)

// ParsePorts returns the ports of a name such as 1rw or 2r1w, and whether it has any. An empty name is a read and a
// write port, without which nothing could be stored.
func ParsePorts(name string) (Ports, bool) {
	if name == "" {
		return Ports{Reads: 1, Writes: 1}, true
	}
	m := portNames.FindStringSubmatch(name)
	if m == nil {
		return Ports{}, false
	}
	var n [3]int
	for i, digits := range m[1:] {
		if digits == "" {
			continue
		}
		v, err := strconv.Atoi(digits)
		if err != nil || v > 1024 {
			return Ports{}, false
		}
		n[i] = v
	}
	p := Ports{Both: n[0], Reads: n[1], Writes: n[2]}
	return p, p.Both+p.Reads > 0 && p.Both+p.Writes > 0
}

// String returns the name of the ports.
func (p Ports) String() string {
	s := ""
	for _, x := range []struct {
		n    int
		name string
	}{{p.Both, "rw"}, {p.Reads, "r"}, {p.Writes, "w"}} {
		if x.n > 0 {
			s += fmt.Sprintf("%d%s", x.n, x.name)
		}
	}
	return s
}
