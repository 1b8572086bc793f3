package cuda

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"kumiko/kernel/ir"
)

// Place is a position in a file, from 1 on; zero: unknown.
type Place struct{ Line, Col int32 }

var (
	fileLine  = regexp.MustCompile(`^\s*\.file\s+(\d+)\s+"([^"]*)"`)
	locLine   = regexp.MustCompile(`^\s*\.loc\s+(\d+)\s+(\d+)\s+(\d+)`)
	debugPart = regexp.MustCompile(`^\s*\.section\s+\.debug_`)
	debugTag  = regexp.MustCompile(`^\$L__(tmp|func_begin|func_end|sec_end)\d*:$`)
)

// clean removes comments, empty lines and everything about lines of the source from PTX. For each of the remaining
// lines it returns the place of the code in the file. Code of a header has the place before it.
func clean(text, file string) (ptx []byte, places []Place) {
	own := ownFile(text, file)
	var b strings.Builder
	var at Place
	debug := false
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "// ")
		line = strings.TrimRight(line, " \t\r\n/")
		switch {
		case debug:
			debug = !strings.Contains(line, "}")
			continue
		case debugPart.MatchString(line):
			debug = !strings.Contains(line, "}")
			continue
		case line == "", debugTag.MatchString(line), fileLine.MatchString(line):
			continue
		}
		if m := locLine.FindStringSubmatch(line); m != nil {
			if m[1] == own && m[2] != "0" {
				at = Place{number(m[2]), max(1, number(m[3]))}
			}
			continue
		}
		if strings.Contains(line, ".entry") || strings.Contains(line, ".func") {
			at = Place{}
		}
		b.WriteString(line)
		b.WriteByte('\n')
		places = append(places, at)
	}
	return []byte(b.String()), places
}

// ownFile returns the number of the file among the .file directives; empty: it has none.
func ownFile(text, file string) string {
	whole, err := filepath.Abs(file)
	if err != nil {
		whole = file
	}
	for line := range strings.Lines(text) {
		if m := fileLine.FindStringSubmatch(line); m != nil && filepath.Clean(m[2]) == whole {
			return m[1]
		}
	}
	return ""
}

func number(s string) int32 {
	n, _ := strconv.ParseInt(s, 10, 32) // digits; 0: too many
	return int32(n)
}

// Place gives the instructions of a module that was read from the PTX their places in the file, for messages and
// profiles.
func (o *Output) Place(m *ir.Module, file string) {
	m.File = file
	for _, k := range m.Kernels {
		k.File = file
		for i := range k.Insts {
			in := &k.Insts[i]
			if n := int(in.Line); n > 0 && n <= len(o.Lines) {
				in.Line, in.Col = o.Lines[n-1].Line, o.Lines[n-1].Col
			}
		}
	}
}
