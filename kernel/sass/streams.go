package sass

import "kumiko/kernel/host"

// Streams numbers the streams of launches: 0 is the default stream, others count from 1 in the order of the list. A
// header without a stream is taken for one of the default stream. The zero value is ready to use.
type Streams struct {
	numbers map[int]int
	made    int
}

// Add adds the stream of a launch.
func (s *Streams) Add(h *Header) {
	if s.numbers == nil {
		s.numbers = map[int]int{}
	}
	if _, ok := s.numbers[h.Stream]; ok {
		return
	}
	n := 0
	if h.Stream != 0 {
		s.made++
		n = s.made
	}
	s.numbers[h.Stream] = n
}

// Queue returns the place of a launch among those that may overlap, once all have been added; nil where all are of one
// stream, because then each runs alone.
func (s *Streams) Queue(h *Header) *host.Queue {
	if len(s.numbers) < 2 {
		return nil
	}
	return &host.Queue{Stream: s.numbers[h.Stream]}
}
