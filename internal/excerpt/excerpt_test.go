package excerpt

import (
	"strings"
	"testing"
)

func TestAShortTextStaysAsItIs(t *testing.T) {
	for _, s := range []string{"", "grid", `a "b" \c`, "naïve", strings.Repeat("x", Longest)} {
		if got := Of(s); got != s {
			t.Errorf("%q: got %q", s, got)
		}
	}
}

func TestALongTextIsCutAtACharacterAndItsSizeNamed(t *testing.T) {
	s := strings.Repeat("x", Longest-1) + strings.Repeat("é", 20)
	if got, want := Of(s), strings.Repeat("x", Longest-1)+"... (119 bytes)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := Quote(s), `"`+strings.Repeat("x", Longest-1)+`"... (119 bytes)`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWhatATerminalWouldObeyIsEscaped(t *testing.T) {
	for s, want := range map[string]string{
		"a\x1b[31mb\"": `a\x1b[31mb"`, "\a\r\n": `\a\r\n`, "\xff": `\xff`, "\u009b2J": `\u009b2J`,
		"\u202eabc": `\u202eabc`,
	} {
		if got := Of(s); got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
	}
}

func TestAMessageIsBoundedAndKeepsItsLines(t *testing.T) {
	if got, want := Message("a\n\tb\x1b[0m"), "a\n\\tb\\x1b[0m"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	long := strings.Repeat("é", LongestMessage)
	if got, want := Message(long), long[:LongestMessage]+"..."; got != want {
		t.Errorf("got %d bytes, want %d", len(got), len(want))
	}
}

func TestAListShowsSomeNamesAndCountsTheRest(t *testing.T) {
	var l List
	for i := range 21 {
		l = append(l, string(rune('a'+i)))
	}
	if got := l.String(); !strings.HasSuffix(got, "t, u") {
		t.Errorf("21 names: %s", got)
	}
	if got := append(l, "v").String(); !strings.HasSuffix(got, "s, t and 2 more") {
		t.Errorf("22 names: %s", got)
	}
}

func TestOnlyTheStringsAmongArgumentsAreCut(t *testing.T) {
	long := strings.Repeat("x", 200)
	got := Args([]any{long, 3, List{long}, "y"})
	if got[0] != Of(long) || got[1] != 3 || got[3] != "y" || got[2].(List)[0] != long {
		t.Errorf("%v", got)
	}
}
