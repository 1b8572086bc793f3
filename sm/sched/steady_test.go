package sched

import (
	"testing"

	"kumiko/components/wire"
)

// In cycle t the SM issues 2t+1 thread instructions, so t x t have been issued before. It holds
// one CTA from 4 on, two from 8 to 21 and from 26 to 41, and none from 51 on.
func TestTheSteadySpanIsThatOfTheMostResidentCTAs(t *testing.T) {
	var s Steady
	s.Begin()
	if cycles, thread := s.Span(3); cycles != 0 || thread != 0 {
		t.Errorf("without a CTA: %d cycles, %d thread instructions", cycles, thread)
	}
	for now := range wire.Cycle(60) {
		// Whether the scheduler ticks before residency does not matter.
		if now%2 == 0 {
			s.Issued(now, int(2*now+1))
		}
		switch now {
		case 4, 8, 26:
			s.Admitted(now, 0, nil)
		case 21, 41, 51:
			s.Retired(now, 0)
		case 30:
			cut := s
			if cycles, thread := cut.Span(30); cycles != 30-8 || thread != 30*30-8*8 {
				t.Errorf("cut short: %d cycles, %d thread instructions; want 22, %d", cycles, thread, 30*30-8*8)
			}
		}
		if now%2 != 0 {
			s.Issued(now, int(2*now+1))
		}
	}
	if cycles, thread := s.Span(60); cycles != 41-8 || thread != 41*41-8*8 {
		t.Errorf("%d cycles, %d thread instructions; want 33, %d", cycles, thread, 41*41-8*8)
	}
}
