package wire

// Waiter is a component able to describe its wait, for the report of a stuck simulation.
//
// Contract: Waiting returns one line such as "warp 3: R4 from load #812", naming the block it waits for, or "" if
// the component has nothing to do. It changes nothing.
type Waiter interface {
	Waiting() string
}

// Waiting returns one line for each waiting component of the domain, in construction order, led by the component's
// name.
func (d *Domain) Waiting() []string {
	var out []string
	for _, w := range d.waits(nil) {
		out = append(out, w.line)
	}
	return out
}

// wait is a line of a component's wait, or of its full link.
type wait struct {
	built int // number of the component
	line  string
}

// waits appends the waits of the domain's components.
func (d *Domain) waits(out []wait) []wait {
	for id, t := range d.comps {
		w, ok := t.(Waiter)
		if !ok {
			continue
		}
		s := w.Waiting()
		if s == "" {
			continue
		}
		if n, ok := t.(interface{ Name() string }); ok {
			s = n.Name() + ": " + s
		}
		out = append(out, wait{d.built[id], s})
	}
	return out
}
