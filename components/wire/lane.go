package wire

// lane is a link between clock domains, in one partition or in two. Sender and receiver have a ring each. The
// sender learns of pops only when their credit has come back.
//
// A message put at the sender's cycle s is visible at the first edge of the receiver at or after s+latency, in the
// sender's cycles. Space freed by the receiver becomes visible latency cycles after the first edge of the sender at
// or after the pop, or one cycle where one end follows the other and the clocks are equal. Neither depends on the
// times of exchange, nor on whether the two ends are in one partition.
//
// While partitions run, the sender writes its ring and a list sent, and the receiver writes its ring and a list freed.
// In an epoch of several windows each writes the list of the parity of its window, and takes over what the other wrote
// in the window before; a follower takes over what its leader wrote in the same window. Neither is more than a window
// ahead.
type lane struct {
	tx      queue // for the sender: its name, and whether it waits
	rx      *queue
	out     *sender
	latency Cycle          // in the sender's cycles
	move    func(at Cycle) // moves the oldest message to the receiver's ring, visible there from at on
	free    func(at Cycle) // frees the oldest place in use of the sender's ring, from at on
	sent    [2]cycles      // not yet taken over: when each message is visible, in the receiver's cycles
	freed   [2]cycles      // not yet taken over: when each pop's space is visible, in the sender's cycles
	direct  bool           // one partition: no exchange is needed
	back    Cycle          // the latency of a credit, in the sender's cycles
	waits   *Comp          // to wake when there is room
	led     bool           // from a leader to its follower, which counts room
	room    int            // places that the leader knows to be free when it takes its next step
	short   bool           // in the leader's list of short links
	shortAt Cycle          // when it came into this list
}

// cycles is a list with room for all messages of a ring.
type cycles []Cycle

func newLane(out *sender, rx *queue, latency Cycle) *lane {
	l := &lane{
		rx: rx, out: out, latency: latency,
		direct: out.dom.part == rx.dom.part, back: latency, waits: out.comp,
	}
	if near(out.dom, rx.dom) {
		l.back, l.led = 1, rx.dom.part.leader == out.dom.part
		if l.led {
			l.room, l.shortAt = rx.size, Never
			if l.room < aheadRoom {
				l.listShort(Never)
			}
		}
	}
	for i := range l.sent {
		l.sent[i], l.freed[i] = make(cycles, 0, rx.size), make(cycles, 0, rx.size)
	}
	l.tx = queue{dom: out.dom, queueRest: &queueRest{comp: rx.comp, name: rx.name, size: rx.size, src: out}}
	return l
}

// send records a message put, and returns the first receiver cycle in which it is visible.
func (l *lane) send(now Cycle) Cycle {
	at := edge{now + l.latency, l.out.dom.hz}.ceilTo(l.rx.dom.hz)
	if l.direct {
		l.deliver(at)
		return at
	}
	p := l.out.dom.part
	sent := &l.sent[p.parity]
	*sent = append(*sent, at)
	if l.led {
		l.useRoom(now)
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
	at := edge{now, l.rx.dom.hz}.ceilTo(l.out.dom.hz) + l.back
	if l.direct {
		l.giveBack(at)
	} else {
		freed := &l.freed[l.rx.dom.part.parity]
		*freed = append(*freed, at)
	}
}

// giveBack frees a place, and wakes the sender if it waits for one.
func (l *lane) giveBack(at Cycle) {
	l.free(at)
	if l.tx.marks&blocked != 0 {
		l.tx.marks.set(blocked, false)
		l.waits.WakeAt(at)
	}
}

// bring moves the messages of windows of a parity to the receiver, on behalf of which it runs.
func (l *lane) bring(parity int) {
	for _, at := range l.sent[parity] {
		l.deliver(at)
	}
	l.sent[parity] = l.sent[parity][:0]
}

// refund frees the places of messages popped in windows of a parity, on behalf of the sender.
func (l *lane) refund(parity int) {
	for _, at := range l.freed[parity] {
		l.giveBack(at)
		if l.led {
			l.room++
		}
	}
	l.freed[parity] = l.freed[parity][:0]
}
