package residency

import (
	"fmt"

	"kumiko/components/wire"
	"kumiko/kernel/stream"
	"kumiko/sm/message"
)

// Dispatcher hands the CTAs of a launch, in grid order, to the SMs with room. In each cycle an SM gets at most
// one CTA. The SMs take turns round robin, up to the chip's rate.
type Dispatcher struct {
	wire.Comp

	Credits []wire.InPort[message.CTACredit] // from each SM
	Grants  []wire.OutPort[message.Grant]    // to each SM

	room   []int `bits:"8"`
	first  int   // the SM to serve first
	source stream.Source
	memory stream.Releaser // the source; nil: it does not reuse memory
	next   *stream.CTA
	out    int // CTAs handed out and not yet retired
	given  int
	gone   int
	onDone func(now wire.Cycle)
	from   []wire.Cycle `bits:"16"` // per SM: when its first CTA may be handed out; nil: at once
	held   bool         // the source has no CTA now but will have more
	rate   int          // CTAs per cycle of the chip
	beside *sideBySide  // nil: one grid alone
}

// NewDispatcher builds the dispatcher of a chip. It hands out at most rate CTAs per cycle; 0: one to each SM.
func NewDispatcher(name string, d *wire.Domain, sms, ctasPerSM, rate int) *Dispatcher {
	p := &Dispatcher{room: make([]int, sms), Credits: make([]wire.InPort[message.CTACredit], sms),
		Grants: make([]wire.OutPort[message.Grant], sms), rate: rate}
	if rate == 0 {
		p.rate = sms
	}
	p.Init(name, d, p)
	for i := range sms {
		p.Credits[i].Init(&p.Comp, fmt.Sprintf("Credits[%d]", i), 2*ctasPerSM+16)
		p.Grants[i].Init(&p.Comp, fmt.Sprintf("Grants[%d]", i))
	}
	return p
}

// Stagger sets, for each SM, the first cycle at which it may get CTAs, from the next
// launch on; nil: at once.
func (p *Dispatcher) Stagger(from []wire.Cycle) { p.from = from }

// early reports whether an SM must not get CTAs yet, and if so wakes the dispatcher at the end of
// this time.
func (p *Dispatcher) early(sm int, now wire.Cycle) bool {
	if p.from == nil || now >= p.from[sm] {
		return false
	}
	p.WakeAt(p.from[sm])
	return true
}

// Launch starts a kernel with the CTAs of source. It calls done in the cycle in which the dispatcher is
// informed of the last CTA's retirement or of a failure of the source.
func (p *Dispatcher) Launch(source stream.Source, done func(now wire.Cycle)) {
	p.source, p.onDone, p.held = source, done, false
	p.memory, _ = source.(stream.Releaser)
	p.out, p.given, p.gone, p.first = 0, 0, 0, 0
	clear(p.room)
	p.next = source.Next()
	p.Wake()
}

// Hold sets whether the launch goes on when the source has no CTA, because it will have more.
// It queries the source again.
func (p *Dispatcher) Hold(on bool) {
	p.held = on
	if p.next == nil && p.source != nil {
		p.next = p.source.Next()
	}
	p.Wake()
}

// Retired returns the number of CTAs finished since Launch.
func (p *Dispatcher) Retired() int { return p.gone }

// Granted returns the number of CTAs granted to SMs since Launch.
func (p *Dispatcher) Granted() int { return p.given }

// Tick receives the SMs' messages and gives one CTA to each SM with room.
func (p *Dispatcher) Tick(now wire.Cycle) bool {
	if p.beside != nil {
		return p.tickBeside(now)
	}
	for i := range p.Credits {
		for r := p.Credits[i].Take(); r != nil; r = p.Credits[i].Take() {
			p.room[i] += int(r.Free)
			p.retired(r.Gone)
		}
	}
	again, last, left := false, -1, p.rate
	for k := range p.room {
		i := (p.first + k) % len(p.room)
		if p.next == nil || p.room[i] == 0 || p.early(i, now) || !p.Grants[i].CanPut() {
			continue
		}
		if left == 0 {
			again = true
			break
		}
		left--
		p.Grants[i].Put(message.Grant{CTA: p.next})
		p.room[i]--
		p.out++
		p.given++
		last = i
		again = again || p.room[i] > 0
		p.next = p.source.Next()
	}
	if last >= 0 {
		p.first = (last + 1) % len(p.room)
	}
	if p.next == nil && p.out == 0 && p.onDone != nil && !p.held {
		done := p.onDone
		p.onDone = nil
		done(now)
		return false
	}
	return again && p.next != nil
}

// retired counts retired CTAs and returns their memory to their source.
func (p *Dispatcher) retired(ctas []*stream.CTA) {
	p.out -= len(ctas)
	p.gone += len(ctas)
	if p.memory != nil {
		for _, c := range ctas {
			p.memory.Release(c)
		}
	}
	clear(ctas) // the port still has the message
}

// Waiting reports how many CTAs are out.
func (p *Dispatcher) Waiting() string {
	if p.out == 0 {
		return ""
	}
	out := fmt.Sprintf("%d CTAs handed out, %d of them retired", p.given, p.gone)
	if p.beside != nil {
		out += "; " + p.beside.waiting()
	}
	return out
}
