package acceptance

import "testing"

// programs are the programs of testdata, each with the function writing its inputs and expectations.
var programs = []struct {
	name string
	make func(*kit)
}{
	{"atomics", atomics}, {"bits", bitOperations}, {"chain", chain}, {"collatz", collatz}, {"doubles", doubles},
	{"floats", singles}, {"globals", globals}, {"hashtable", hashtable}, {"interpreter", interpreter},
	{"lastblock", lastblock}, {"mandelbrot", mandelbrot}, {"matvec", matvec}, {"mesh", mesh}, {"pixels", pixels},
	{"scan", scan}, {"warp", warp}, {"wide", wide},
}

func TestProgramsComputeWhatTheHostDoes(t *testing.T) {
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			k := newKit(t, p.name, "")
			p.make(k)
			k.simulate("--set", "slice.sms=2")
		})
	}
}
