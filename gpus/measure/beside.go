package measure

import (
	"math/bits"
	"slices"

	"kumiko/components/wire"
	"kumiko/gpus/chip"
	"kumiko/gpus/result"
	"kumiko/sm"
	"kumiko/sm/message"
	"kumiko/sm/reason"
	"kumiko/sm/residency"
	"kumiko/sm/sched"
)

// Beside divides the issue slots of the SMs among launches that run side by side. It watches the schedulers, and no
// cycle depends on it.
type Beside struct {
	sms    []*besideSM
	memory between
}

// besideSM has the slots of one SM. A slot that issues belongs to the launch of the warp. One that is lost belongs to
// the launch of the warps in the state to which it is lost; warps of several launches there have equal parts of it.
// One without any warp in that state belongs to none.
type besideSM struct {
	sm       *sm.SM
	other    sched.Observer // that observes the schedulers too; nil: none
	width    float64
	launchOf []int // by warp context
	resident []int // by launch: its CTAs on the SM
	ofSlot   []int // by CTA slot: its launch, or nobody
	last     []moment
	slots    [][reason.Num]float64 // by launch
	warp     []uint64
	thread   []uint64
}

// moment is what the slots of a scheduler have been lost to since a cycle.
type moment struct {
	at   wire.Cycle
	lost reason.Reason
	part []part // of launches that have any of it
}

// part is a launch's part of a slot.
type part struct {
	launch int
	of     float64
}

// NewBeside returns the division of the slots of a chip's SMs. From now on it follows which contexts the CTAs of grids
// get.
func NewBeside(c *chip.Chip, s *sm.Spec) *Beside {
	b := &Beside{}
	b.memory = between{beside: b, chip: c}
	for _, x := range c.SMs {
		one := &besideSM{sm: x, width: float64(s.Width()), launchOf: make([]int, s.WarpContexts()),
			last: make([]moment, s.Schedulers)}
		x.Residency.AddListener(one)
		b.sms = append(b.sms, one)
	}
	return b
}

// Begin starts to count after cycle now, for a number of launches.
func (b *Beside) Begin(launches int, now wire.Cycle) {
	for _, s := range b.sms {
		s.slots, s.resident = make([][reason.Num]float64, launches), make([]int, launches)
		s.warp, s.thread = make([]uint64, launches), make([]uint64, launches)
		s.ofSlot = slices.Repeat([]int{nobody}, s.sm.Residency.Slots())
		for i := range s.last {
			s.last[i] = moment{at: now, part: s.last[i].part[:0]}
		}
		if o := s.sm.Observer(); o != sched.Observer(s) {
			s.other = o
		}
		s.sm.Observe(s)
	}
	b.memory.begin()
}

// Finish ends the count with cycle now, and adds the counts of each launch to its result.
func (b *Beside) Finish(now wire.Cycle, out []result.Beside) {
	for _, s := range b.sms {
		s.sm.Observe(s.other)
		for i := range s.last {
			s.until(i, now+1)
		}
		for _, x := range s.sm.Reasons() {
			for l := range out {
				if n := s.slots[l][x.Reason]; n > 0 {
					out[l].IssueSlots[x.Name] += n
				}
			}
		}
		for l := range out {
			out[l].WarpInstructions += s.warp[l]
			out[l].ThreadInstructions += s.thread[l]
		}
	}
	for l := range out {
		out[l].SetCPI()
	}
	b.memory.finish(out)
}

// until counts the cycles of a scheduler before now.
func (s *besideSM) until(sched int, now wire.Cycle) {
	m := &s.last[sched]
	if now <= m.at+1 {
		return
	}
	n := float64(now-m.at-1) * s.width
	for _, p := range m.part {
		s.slots[p.launch][m.lost] += n * p.of
	}
}

// Issued implements sched.Observer.
func (s *besideSM) Issued(now wire.Cycle, f *message.Fetched, tag uint32) {
	if s.other != nil {
		s.other.Issued(now, f, tag)
	}
	l := s.launchOf[f.Warp]
	s.slots[l][reason.Issued]++
	s.warp[l]++
	s.thread[l] += uint64(bits.OnesCount32(f.Exec))
}

// States implements sched.Observer.
func (s *besideSM) States(now wire.Cycle, sched int, states *[reason.Num]uint64, contexts []uint16, issued int,
	lost reason.Reason) {
	if s.other != nil {
		s.other.States(now, sched, states, contexts, issued, lost)
	}
	s.until(sched, now)
	m := &s.last[sched]
	m.at, m.lost = now, lost
	m.part = m.part[:0]
	warps := states[lost]
	if lost == reason.Issued || warps == 0 {
		warps = states[reason.Issued] // ready ones, which a full queue keeps from issuing
	}
	each := 1 / float64(max(bits.OnesCount64(warps), 1))
	for w := warps; w != 0; w &= w - 1 {
		m.add(s.launchOf[contexts[bits.TrailingZeros64(w)]], each)
	}
	for _, p := range m.part {
		s.slots[p.launch][lost] += (s.width - float64(issued)) * p.of
	}
}

// add adds to a launch's part.
func (m *moment) add(launch int, of float64) {
	for i := range m.part {
		if m.part[i].launch == launch {
			m.part[i].of += of
			return
		}
	}
	m.part = append(m.part, part{launch, of})
}

// Pending implements sched.Observer.
func (s *besideSM) Pending(now wire.Cycle, context uint16, lost bool) {
	if s.other != nil {
		s.other.Pending(now, context, lost)
	}
}

// Admitted implements residency.Listener.
func (s *besideSM) Admitted(_ wire.Cycle, slot uint16, contexts []uint16) {
	g, ok := s.sm.Residency.CTA(slot).Memory.(*residency.Grid)
	if !ok {
		return
	}
	s.resident[g.Number]++
	s.ofSlot[slot] = g.Number
	for _, c := range contexts {
		s.launchOf[c] = g.Number
	}
}

// Retired implements residency.Listener.
func (s *besideSM) Retired(_ wire.Cycle, slot uint16) {
	if int(slot) >= len(s.ofSlot) || s.ofSlot[slot] == nobody {
		return // of a launch alone
	}
	s.resident[s.ofSlot[slot]]--
	s.ofSlot[slot] = nobody
}
