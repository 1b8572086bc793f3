package port

import "kumiko/memsys/req"

// aside has the replies to one client that have made way for those of others, in
// order. There are at most as many as the client has asked for.
type aside struct {
	replies []req.Packet
	first   int
}

func (a *aside) n() int { return len(a.replies) - a.first }

func (a *aside) add(r *req.Packet) {
	if a.first > 0 && len(a.replies) == cap(a.replies) {
		a.replies = a.replies[:copy(a.replies, a.replies[a.first:])]
		a.first = 0
	}
	a.replies = append(a.replies, *r)
}

// take removes the oldest.
func (a *aside) take() *req.Packet {
	r := &a.replies[a.first]
	if a.first++; a.first == len(a.replies) {
		a.replies, a.first = a.replies[:0], 0
	}
	return r
}
