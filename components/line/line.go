// Package line keeps waiting lines of requesters for resources, such as space in a queue or an output of a
// crossbar.
//
// It is plain state to embed in a component. A requester stands in one line at a time. A resource goes to the
// requester that has stood longest. So while a requester stands, every other one gets the resource at most once.
package line

// Lines has a waiting line for each resource. The zero of *Lines, nil, is for a single requester: it is always its
// turn.
type Lines struct {
	first, last []int16 `bits:"1+log(next)"`  // by resource: requesters at the two ends of its line, -1: empty
	next        []int16 `bits:"1+log(next)"`  // by requester: the requester behind it, -1: none
	at          []int16 `bits:"1+log(first)"` // by requester: the resource of its line, -1: none
}

// New returns empty lines, or nil for a single requester. There may be at most 32767 resources and 32767
// requesters.
func New(resources, requesters int) *Lines {
	if requesters < 2 {
		return nil
	}
	l := &Lines{first: none(resources), last: none(resources), next: none(requesters), at: none(requesters)}
	return l
}

func none(n int) []int16 {
	s := make([]int16, n)
	for i := range s {
		s[i] = -1
	}
	return s
}

// Turn reports whether the resource may go to the requester now: its line is empty or the requester is at the head.
// Otherwise the requester joins the line.
func (l *Lines) Turn(resource, requester int) bool {
	if l == nil || l.first[resource] < 0 || int(l.first[resource]) == requester {
		return true
	}
	l.Stand(resource, requester)
	return false
}

// Stand puts the requester at the end of the line, unless it already stands there.
func (l *Lines) Stand(resource, requester int) {
	if l == nil || int(l.at[requester]) == resource {
		return
	}
	l.at[requester], l.next[requester] = int16(resource), -1
	if l.first[resource] < 0 {
		l.first[resource] = int16(requester)
	} else {
		l.next[l.last[resource]] = int16(requester)
	}
	l.last[resource] = int16(requester)
}

// Leave removes the requester, after it got the resource, from the head of its line. A requester in no line is
// ignored.
func (l *Lines) Leave(requester int) {
	if l == nil || l.at[requester] < 0 {
		return
	}
	r := l.at[requester]
	l.first[r], l.at[requester] = l.next[requester], -1
}
