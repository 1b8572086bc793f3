package validation

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
)

// Summary summarises a set of launches.
type Summary struct {
	Launches  int
	MeanError float64 // mean of the absolute errors of IPC
	Pearson   float64 // correlation of the logarithms of IPC
	Beyond    []*Measured
}

// beyond is the smallest error to be explained launch by launch.
const beyond = 0.25

// Summarise computes mean error and correlation.
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
	fmt.Fprintln(w, "| launch | GPU | CTAs per SM, theirs | ours | thread instructions | cycles, theirs | ours | "+
		"IPC, theirs | ours | error |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|")
	for _, m := range list {
		fmt.Fprintf(w, "| %s | %s | %d | %d | %d | %d | %d | %.3f | %.3f | %+.1f %% |\n", m.Label(), m.Config,
			m.CTAsPerSM, m.Fit,
			m.ThreadInsn, m.Cycles, m.Ours.Cycles, m.IPC(), m.OurIPC(), 100*m.Error())
	}
	fmt.Fprintln(w, "\n| launches | number | mean absolute error | Pearson correlation of the logarithms of IPC | "+
		"beyond 25 % |")
	fmt.Fprintln(w, "|---|---|---|---|---|")
	for _, g := range groups {
		s := Summarise(slices.DeleteFunc(slices.Clone(list), func(m *Measured) bool { return !g.has(m) }))
		if s.Launches < 2 {
			continue
		}
		fmt.Fprintf(w, "| %s | %d | %.1f %% | %.4f | %d |\n", g.name, s.Launches, 100*s.MeanError, s.Pearson,
			len(s.Beyond))
	}
	if far := Summarise(list).Beyond; len(far) > 0 {
		fmt.Fprint(w, "\nBeyond 25 %:")
		for i, m := range far {
			fmt.Fprintf(w, "%s `%s/%s`", []string{"", ","}[min(i, 1)], m.Label(), m.Config)
		}
		fmt.Fprintln(w, ".")
	}
}

// groups are the groups of launches with a summary of their own.
var groups = []struct {
	name string
	has  func(m *Measured) bool
}{
	{"all", func(*Measured) bool { return true }},
	{"GTX 480", func(m *Measured) bool { return m.Config == "gtx480" }},
	{"GTX 980", func(m *Measured) bool { return m.Config == "gtx980" }},
	{"not microbenchmarks", func(m *Measured) bool { return slices.Contains(applications, m.Kernel) }},
}

// applications are the kernels other than microbenchmarks.
var applications = []string{"hotspot", "transpose_tiled", "fmaheavy", "vecadd", "conv7", "reduce"}

// Parts are the generated parts of lab/docs/validation/peers.md, in order. The command crosscheck writes them.
var Parts = []string{"launches", "trips", "experiments", "sensitivities"}

// Replace replaces the text between the begin and end lines of a part in a Markdown document.
func Replace(doc []byte, part string, text []byte) ([]byte, error) {
	begin, end := []byte("<!-- "+part+": made by crosscheck -update -->\n"), []byte("<!-- end of "+part+" -->\n")
	_, from, ok := bytes.Cut(doc, begin)
	if !ok {
		return nil, fmt.Errorf("no line %q", bytes.TrimSpace(begin))
	}
	before := doc[:len(doc)-len(from)]
	_, after, ok := bytes.Cut(from, end)
	if !ok {
		return nil, fmt.Errorf("no line %q behind the beginning of the part", bytes.TrimSpace(end))
	}
	return bytes.Join([][]byte{before, text, end, after}, nil), nil
}
