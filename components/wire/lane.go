package wire

// lane is a link between clock domains, in one partition or in two. Sender and receiver have a ring each. The
// sender learns of pops only when their credit has come back.
//
// A message put at the sender's cycle s is visible at the first edge of the receiver at or after s+latency, in the
// sender's cycles. Space freed by the receiver becomes visible latency cycles after the first edge of the sender at
// or after the pop. Neither depends on the times of exchange, nor on whether the two ends are in one partition.
//
// While partitions run, the sender writes its ring and the list sent, and the receiver writes its ring and the list
// freed. The rest changes in exchange.
type lane struct {
	tx      queue // for the sender: its name, and whether it waits
	rx      *queue
	out     *sender
	latency Cycle          // in the sender's cycles
	move    func(at Cycle) // moves the oldest message to the receiver's ring, visible there from at on
	free    func(at Cycle) // frees the oldest place in use of the sender's ring, from at on
	sent    cycles         // since the last exchange: when each message is visible, in the receiver's cycles
	freed   cycles         // since the last exchange: when each pop's space is visible, in the sender's cycles
	direct  bool           // one partition: no exchange is needed
}

// cycles is a list with room for all messages of a ring.
type cycles []Cycle

func newLane(out *sender, rx *queue, latency Cycle) *lane {
	l := &lane{
		rx: rx, out: out, latency: latency,
		sent: make(cycles, 0, rx.size), freed: make(cycles, 0, rx.size),
		direct: out.dom.part == rx.dom.part,
	}
	l.tx = queue{dom: out.dom, queueRest: &queueRest{comp: rx.comp, name: rx.name, size: rx.size, src: out}}
	return l
}

// send records a message put, and returns the first receiver cycle in which it is visible.
func (l *lane) send(now Cycle) Cycle {
	at := edge{now + l.latency, l.out.dom.hz}.ceilTo(l.rx.dom.hz)
	if l.direct {
		l.deliver(at)
	} else {
		l.sent = append(l.sent, at)
	}
	return at
}

// deliver moves a message to the receiver and wakes the receiver.
func (l *lane) deliver(at Cycle) {
	l.move(at)
	l.rx.dom.wakeAt(l.rx.comp.id, at)
}

// release records a pop at the receiver's cycle now.
func (l *lane) release(now Cycle) {
	at := edge{now, l.rx.dom.hz}.ceilTo(l.out.dom.hz) + l.latency
	if l.direct {
		l.giveBack(at)
	} else {
		l.freed = append(l.freed, at)
	}
}

// giveBack frees a place, and wakes the sender if it waits for one.
func (l *lane) giveBack(at Cycle) {
	l.free(at)
	if l.tx.marks&blocked != 0 {
		l.tx.marks.set(blocked, false)
		l.out.comp.WakeAt(at)
	}
}

// exchange transfers the messages and pops since the last exchange. No partition runs meanwhile.
func (l *lane) exchange() {
	for _, at := range l.sent {
		l.deliver(at)
	}
	for _, at := range l.freed {
		l.giveBack(at)
	}
	l.sent, l.freed = l.sent[:0], l.freed[:0]
}
