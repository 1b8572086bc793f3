package cuda

import (
	"bytes"
	"strings"
	"testing"
)

func FuzzPTXIsCleanedLineByLine(f *testing.F) {
	f.Add(marked)
	f.Add(".loc 1 99999999999 0\n.loc 1\n.file 1 \"x.cu\"\n.section .debug_str {\n}")
	f.Add("\xff\x00// \n//\n\\\n.entry")
	f.Fuzz(func(t *testing.T, text string) {
		out, places := clean(text, "x.cu")
		if lines := bytes.Count(out, []byte("\n")); lines != len(places) {
			t.Errorf("%d lines, %d places", lines, len(places))
		}
		for _, line := range strings.Split(string(out), "\n") {
			if locLine.MatchString(line) || debugTag.MatchString(line) {
				t.Errorf("line %q is left", line)
			}
		}
		for _, p := range places {
			if p.Line < 0 || p.Col < 0 {
				t.Errorf("place %v", p)
			}
		}
	})
}

func FuzzMacrosStayLinesOfTheirOwn(f *testing.F) {
	for _, d := range []string{"N=5", "F(x, y)=x + y", "N", "N=5\\", "A=\"\n\""} {
		f.Add(d)
	}
	f.Fuzz(func(t *testing.T, d string) {
		text, err := defines([]string{d})
		if err == nil && (bytes.Count(text, []byte("\n")) != 1 || !bytes.HasPrefix(text, []byte("#define "))) {
			t.Errorf("%q gives %q", d, text)
		}
	})
}
