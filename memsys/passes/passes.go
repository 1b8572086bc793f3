// Package passes is the common part of blocks serving a warp memory
// instruction in passes, one per cycle: shared memory, with a pass for
// each conflict, and the constant cache, with a pass for each word.
//
// Instructions are served in order, one at a time; the result of one leaves in
// the cycle of its last pass.
//
// Ports: In (req.Part); Out (req.Done), whose link is the pipeline behind the
// passes.
package passes

import (
	"fmt"

	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// Overhead is the part of a block's latency spent outside of it: a link
// from the access unit and the reply.
const Overhead = 2

// Server is to be embedded in a block.
type Server struct {
	wire.Comp
	In  wire.InPort[req.Part]
	Out wire.OutPort[req.Done]

	passes  func(*req.Part) int
	latency int
	until   wire.Cycle // cycle of the last pass of the current instruction
	done    req.Done
	busy    bool
	side    *side // nil: instructions alone use the banks
}

// Setup makes the Server part of block t. latency is the time from the arrival at the
// access unit to the reply for an instruction of one pass, in cycles, more than
// Overhead; queue is the capacity of In, in instructions. passes is called once for each
// instruction and returns its number of passes, at least 1.
func (s *Server) Setup(name string, d *wire.Domain, t wire.Block, latency, queue int, passes func(*req.Part) int) {
	s.latency, s.passes = latency, passes
	s.Init(name, d, t)
	s.In.Init(&s.Comp, "In", queue)
	s.Out.Init(&s.Comp, "Out")
}

// Pipeline returns the depth of the pipeline behind the passes, in cycles: the
// latency of the link of Out.
func (s *Server) Pipeline() int { return s.latency - Overhead }

// Tick ends the last pass of an instruction and begins the first of the next.
func (s *Server) Tick(now wire.Cycle) bool {
	if !s.busy && !s.begin(now) {
		return false
	}
	if now < s.until {
		s.WakeAt(s.until)
		return false
	}
	if !s.answer() {
		return false
	}
	s.busy = false
	return s.In.Head() != nil || s.side != nil && s.side.In.Head() != nil
}

// begin starts the next instruction; its first pass is in this cycle.
func (s *Server) begin(now wire.Cycle) bool {
	if s.side != nil && s.side.turn(s.In.Head() != nil) {
		s.busy, s.until = true, now+wire.Cycle(s.side.begin()-1)
		return true
	}
	p := s.In.Head()
	if p == nil {
		return false
	}
	s.In.Pop()
	s.busy, s.until = true, now+wire.Cycle(s.passes(p)-1)
	s.done = req.Done{Slot: p.Slot, Index: p.Index, Of: 1}
	return true
}

// Waiting reports how long the block is busy.
func (s *Server) Waiting() string {
	if !s.busy && s.In.Len() == 0 {
		return ""
	}
	return fmt.Sprintf("passes until cycle %d, %d instructions behind", s.until, s.In.Len())
}
