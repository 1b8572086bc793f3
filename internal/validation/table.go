package validation

import (
	"fmt"
	"io"
	"math"
)

// Summary of a set of launches.
type Summary struct {
	Launches  int
	MeanError float64 // mean of the absolute errors of IPC
	Pearson   float64 // correlation of the logarithms of IPC
	Beyond    []*Measured
}

// beyond is the error from which a launch needs an explanation of its own.
const beyond = 0.25

// Summarise works out mean error and correlation.
func Summarise(list []*Measured) Summary {
	s := Summary{Launches: len(list)}
	var x, y []float64
	for _, m := range list {
		s.MeanError += math.Abs(m.Error()) / float64(len(list))
		if math.Abs(m.Error()) > beyond {
			s.Beyond = append(s.Beyond, m)
		}
		x, y = append(x, math.Log(m.IPC())), append(y, math.Log(m.OurIPC()))
	}
	s.Pearson = pearson(x, y)
	return s
}

func pearson(x, y []float64) float64 {
	n := float64(len(x))
	var mx, my float64
	for i := range x {
		mx += x[i] / n
		my += y[i] / n
	}
	var xy, xx, yy float64
	for i := range x {
		xy += (x[i] - mx) * (y[i] - my)
		xx += (x[i] - mx) * (x[i] - mx)
		yy += (y[i] - my) * (y[i] - my)
	}
	return xy / math.Sqrt(xx*yy)
}

// WriteLaunches writes a table of launches and their summary in Markdown.
func WriteLaunches(w io.Writer, list []*Measured) {
	fmt.Fprintln(w, "| launch | GPU | CTAs per SM, theirs | ours | thread instructions | cycles, theirs | ours | IPC, theirs | ours | error |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|")
	for _, m := range list {
		fmt.Fprintf(w, "| %s | %s | %d | %d | %d | %d | %d | %.3f | %.3f | %+.1f %% |\n", m.Label(), m.Config, m.CTAsPerSM, m.Fit,
			m.ThreadInsn, m.Cycles, m.Ours.Cycles, m.IPC(), m.OurIPC(), 100*m.Error())
	}
	s := Summarise(list)
	fmt.Fprintf(w, "\n%d launches: mean absolute error %.1f %%, Pearson correlation of the logarithms of IPC %.4f, %d beyond %.0f %%.\n",
		s.Launches, 100*s.MeanError, s.Pearson, len(s.Beyond), 100*beyond)
}
