package wire

// farWake is a wake too far ahead for the wheel.
type farWake struct {
	at Cycle
	id int32
}

// farWakes is a binary heap, the earliest wake first. container/heap would
// allocate at each push.
type farWakes []farWake

func (h *farWakes) push(w farWake) {
	q := append(*h, w)
	i := len(q) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if q[parent].at <= w.at {
			break
		}
		q[i] = q[parent]
		i = parent
	}
	q[i] = w
	*h = q
}

func (h *farWakes) pop() farWake {
	q := *h
	top, last := q[0], q[len(q)-1]
	q = q[:len(q)-1]
	i := 0
	for {
		child := 2*i + 1
		if child >= len(q) {
			break
		}
		if child+1 < len(q) && q[child+1].at < q[child].at {
			child++
		}
		if last.at <= q[child].at {
			break
		}
		q[i] = q[child]
		i = child
	}
	if len(q) > 0 {
		q[i] = last
	}
	*h = q
	return top
}
