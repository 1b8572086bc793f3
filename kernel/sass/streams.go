package sass

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

// Of returns the number of a launch's stream. It reports false where all launches are of one stream, or have none.
func (s *Streams) Of(h *Header) (number int, several bool) {
	return s.numbers[h.Stream], len(s.numbers) > 1
}
