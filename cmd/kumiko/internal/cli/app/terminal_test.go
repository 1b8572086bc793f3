package app

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestNothingThatSteersATerminalIsPrinted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()),
			func(b []byte) string { return string(b) })).Draw(t, "text")
		var out bytes.Buffer
		n, err := printer{&out}.Write([]byte(in))
		if err != nil || n != len(in) {
			t.Fatalf("%d, %v", n, err)
		}
		if got := out.String(); !utf8.ValidString(got) || strings.ContainsFunc(got, steers) || harmless(in) &&
			got != in {
			t.Fatalf("%q is printed as %q", in, got)
		}
		if q := Quoted(in); strings.ContainsAny(q, "\n\t\x1b\u009b\u202e") {
			t.Fatalf("%q is quoted as %q", in, q)
		}
	})
	for in, want := range map[string]string{"\x1b[31m": `\x1b[31m`, "\u009b1m": `\u009b1m`, "a\x9bb": `a\x9bb`,
		"a\u202eb": `a\u202eb`, "\r": `\r`, "é\n\tplain": "é\n\tplain", "'": "'"} {
		var out bytes.Buffer
		if _, err := (printer{&out}).Write([]byte(in)); err != nil || out.String() != want {
			t.Errorf("%q is printed as %q, want %q", in, out.String(), want)
		}
	}
}
