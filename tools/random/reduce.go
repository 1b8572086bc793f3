package main

import "strings"

// mostTrials bounds the runs in the reduction of a kernel.
const mostTrials = 400

// reduced returns the program of a finding without the instructions that are not needed for it: first halves of the
// kernel are left out, then quarters, and so on down to single instructions. If a finding does not come again on a new
// machine, its program is returned as it is.
func (f *finding) reduced(gcc string) *program {
	if !f.comesAgain(f.p, gcc) {
		return f.p
	}
	lines := strings.Split(f.p.text, "\n")
	var places []int // of instructions that can be left out
	for i, line := range lines {
		if strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, "\t.") &&
			!strings.HasPrefix(line, "\tld.param.u64") {
			places = append(places, i)
		}
	}
	small, trials := *f.p, 0
	for size := (len(places) + 1) / 2; size > 0 && trials < mostTrials; size /= 2 {
		for at := 0; at < len(places) && trials < mostTrials; {
			end := min(at+size, len(places))
			was := small.text
			small.text = without(lines, places[at:end])
			trials++
			if !f.comesAgain(&small, gcc) {
				small.text = was
				at = end
				continue
			}
			for _, i := range places[at:end] {
				lines[i] = ""
			}
			places = append(places[:at:at], places[end:]...)
		}
	}
	return &small
}

// without returns the text without some lines, and without those left out before.
func without(lines []string, places []int) string {
	var b strings.Builder
	for i, line := range lines {
		if len(places) > 0 && places[0] == i {
			places = places[1:]
			continue
		}
		if line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// comesAgain reports whether a program has the same kind of finding.
func (f *finding) comesAgain(p *program, gcc string) bool {
	var list []*design
	if f.design != nil {
		d := *f.design
		d.machine = nil
		list = []*design{&d}
	}
	found, _ := p.runOn(list, gcc)
	return len(found) > 0 && (found[0].design == nil) == (f.design == nil) && kind(found[0].err) == kind(f.err)
}

// kinds are the kinds of findings, by words of their messages. A reduced kernel has to end with the same kind as the
// whole one, and not, for example, because a register is read before it is written or a label is missing.
var kinds = []string{
	"operand check",
	"panic",
	"as by the kernel as it was read",
	"as by the C form",
	"deadlock",
	"spins",
}

func kind(err error) string {
	for _, k := range kinds {
		if strings.Contains(err.Error(), k) {
			return k
		}
	}
	return ""
}
