package wire

// Waiter is a component that can say what keeps it from going on, for the
// report that is printed when a simulation stops moving.
//
// Contract: Waiting returns one line such as "warp 3: R4 from load #812" and
// names what it waits for by the name of the block that holds it, or "" when
// the component has nothing to do. It changes nothing.
type Waiter interface {
	Waiting() string
}

// Waiting lists the components of the domain that wait for something, in
// construction order, each line led by the component's name.
func (d *Domain) Waiting() []string {
	var out []string
	for _, t := range d.comps {
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
		out = append(out, s)
	}
	return out
}
