package passes

import (
	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// side is a second input of a server: contexts of warps that are kept there. They take
// turns with instructions.
type side struct {
	In  wire.InPort[req.WarpContext]
	Out wire.OutPort[req.WarpContext]

	passes func(*req.WarpContext) int
	now    req.WarpContext // that has the banks
	has    bool            // it has them
	last   bool            // it had them last
}

// AddContexts lets contexts use the banks too, passes passes each, and gives the ports
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

// begin takes the next context and says how many passes it takes.
func (x *side) begin() int {
	x.now, x.has, x.last = *x.In.Head(), true, true
	x.In.Pop()
	return x.passes(&x.now)
}

// answer answers what has had its last pass. It returns false if there is no room.
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
