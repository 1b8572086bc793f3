package golden

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"
)

// Table has the outcome of each program on each machine.
type Table map[Machine]map[string]Outcome

// refused marks a program refused by a machine. The first line of the reason follows.
const refused = "refused"

// crowdedMark is the end of a crowded machine's line.
const crowdedMark = " crowded"

// Format writes a table as text. Each machine has a line "# GPU preset", followed by " crowded" for a crowded
// machine. Below it each program has a line "program cycles hash".
func (t Table) Format(machines []Machine, programs []string) []byte {
	var b bytes.Buffer
	for _, m := range machines {
		mark := ""
		if m.Crowded {
			mark = crowdedMark
		}
		fmt.Fprintf(&b, "# %s %s%s\n", m.GPU, m.Design, mark)
		for _, p := range programs {
			if o, ok := t[m][p]; ok {
				fmt.Fprintf(&b, "%s %s\n", p, o)
			}
		}
	}
	return b.Bytes()
}

// String returns the outcome in the format of the table.
func (o Outcome) String() string {
	if o.Refused != "" {
		line, _, _ := strings.Cut(o.Refused, "\n")
		return refused + " " + line
	}
	return fmt.Sprintf("%d %s", o.Cycles, o.Hash)
}

// Parse reads a table. For a refusal it reads only the first line of the reason. An error names the line.
func Parse(data []byte) (Table, error) {
	t := Table{}
	var at Machine
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if name, ok := strings.CutPrefix(line, "# "); ok {
			name, at.Crowded = strings.CutSuffix(name, crowdedMark)
			if _, err := fmt.Sscanf(name, "%s %s", &at.GPU, &at.Design); err != nil {
				return nil, fmt.Errorf("line %d: found %q, expected # GPU preset", n, line)
			}
			t[at] = map[string]Outcome{}
			continue
		}
		program, rest, _ := strings.Cut(line, " ")
		var o Outcome
		if reason, ok := strings.CutPrefix(rest, refused+" "); ok {
			o.Refused = reason
		} else if _, err := fmt.Sscanf(rest, "%d %s", &o.Cycles, &o.Hash); err != nil || t[at] == nil {
			return nil, fmt.Errorf("line %d: found %q, expected program cycles hash, below a machine", n, line)
		}
		t[at][program] = o
	}
	return t, lines.Err()
}
