package wire

// lane is a link between clock domains, in one partition or in two. It shares the ring with the receiving port, and
// has a queue of its own for the sender: the sender learns of pops only when their credit has come back.
//
// A message put at the sender's cycle s is visible at the first edge of the receiver at or after s+latency, in the
// sender's cycles. Space freed by the receiver becomes visible latency cycles after the first edge of the sender at
// or after the pop. Neither depends on the times of exchange, nor on whether the two ends are in one partition.
//
// While partitions run, the sender writes tx, arrivals and the ring's free slots, and the receiver writes rx and
// the end of returns. The rest changes in exchange.
type lane struct {
	tx       queue
	rx       *queue
	out      *sender
	latency  Cycle   // in the sender's cycles
	arrivals []Cycle // by slot of the ring: when the message is visible, for the wake
	// returns is a ring with the sender's cycle in which each freed slot becomes visible: first the credits known
	// to the sender, then the pending ones.
	returns    []Cycle
	creditHead int
	credits    int
	returnTail int
	pending    int
	direct     bool // one partition: no exchange is needed
}

func newLane(out *sender, rx *queue, latency Cycle) *lane {
	l := &lane{
		rx: rx, out: out, latency: latency,
		arrivals: make([]Cycle, rx.size),
		returns:  make([]Cycle, rx.size),
		direct:   out.dom.part == rx.dom.part,
	}
	l.tx = queue{dom: out.dom, size: rx.size, queueRest: &queueRest{comp: rx.comp, name: rx.name, src: out}}
	return l
}

// send records a message put into slot i of the ring, and returns the first receiver cycle in which it is visible.
func (l *lane) send(i int32, now Cycle) Cycle {
	at := edge{now + l.latency, l.out.dom.hz}.ceilTo(l.rx.dom.hz)
	l.arrivals[i] = at
	if l.direct {
		l.tx.n--
		l.rx.n++
		l.rx.dom.wakeAt(l.rx.comp.id, at)
	}
	return at
}

// release records a pop at the receiver's cycle now.
func (l *lane) release(now Cycle) {
	at := edge{now, l.rx.dom.hz}.ceilTo(l.out.dom.hz) + l.latency
	l.returns[l.returnTail] = at
	if l.returnTail++; l.returnTail == len(l.returns) {
		l.returnTail = 0
	}
	l.pending++
	if l.direct {
		l.giveBack()
	}
}

// refresh applies the credits visible to the sender in this cycle, and returns the number of slots still in use.
func (l *lane) refresh() int32 {
	now := l.out.dom.now
	for l.credits > 0 && l.returns[l.creditHead] <= now {
		if l.creditHead++; l.creditHead == len(l.returns) {
			l.creditHead = 0
		}
		l.credits--
		l.tx.used--
	}
	return l.tx.used
}

// await wakes the sender when there is space.
func (l *lane) await() {
	if l.credits > 0 {
		l.out.comp.WakeAt(l.returns[l.creditHead])
		return
	}
	l.tx.blocked = true
}

// exchange transfers the messages and pops since the last exchange. No partition runs meanwhile.
func (l *lane) exchange() {
	if l.tx.n > 0 {
		i := l.out.tail - l.tx.n
		if i < 0 {
			i += int32(len(l.arrivals))
		}
		l.rx.n += l.tx.n
		for ; l.tx.n > 0; l.tx.n-- {
			l.rx.dom.wakeAt(l.rx.comp.id, l.arrivals[i])
			if i++; i == int32(len(l.arrivals)) {
				i = 0
			}
		}
	}
	if l.pending > 0 {
		l.giveBack()
	}
}

func (l *lane) giveBack() {
	if l.credits += l.pending; l.tx.blocked {
		l.tx.blocked = false
		l.out.comp.WakeAt(l.returns[l.creditHead])
	}
	l.pending = 0
}
