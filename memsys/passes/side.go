package passes

import (
	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// side is a second input of a server, for contexts of warps kept in its memory. Contexts
// and instructions alternate.
type side struct {
	In  wire.InPort[req.WarpContext]
	Out wire.OutPort[req.WarpContext]

	passes func(*req.WarpContext) int
	now    req.WarpContext // the context using the banks
	has    bool            // now is valid
	last   bool            // the last user of the banks was a context
}

// AddContexts lets contexts use the banks too, each for passes passes, and returns the ports
// for them. A context is answered as an instruction is.
func (s *Server) AddContexts(queue int, passes func(*req.WarpContext) int) (*wire.InPort[req.WarpContext],
	*wire.OutPort[req.WarpContext]) {
	s.side = &side{passes: passes}
	s.side.In.Init(&s.Comp, "Contexts", queue)
	s.side.Out.Init(&s.Comp, "Kept")
	return &s.side.In, &s.side.Out
}

// turn reports whether a context is next. others: an instruction waits.
func (x *side) turn(others bool) bool {
	if x.In.Head() == nil || others && x.last {
		x.last = false
		return false
	}
	return true
}

// begin accepts the next context and returns its number of passes.
func (x *side) begin() int {
	x.now, x.has, x.last = *x.In.Head(), true, true
	x.In.Pop()
	return x.passes(&x.now)
}

// answer answers the context or instruction with its last pass done. It returns false if there is no room.
func (s *Server) answer() bool {
	if x := s.side; x != nil && x.has {
		if !x.Out.CanPut() {
			return false
		}
		x.Out.Put(x.now)
		x.has = false
		return true
	}
	if !s.Out.CanPut() {
		return false
	}
	s.Out.Put(s.done)
	return true
}
