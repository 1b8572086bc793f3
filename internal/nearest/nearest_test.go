package nearest

import "testing"

func TestEditDistanceCountsInsertionsDeletionsSubstitutionsAndExchanges(t *testing.T) {
	for _, k := range []struct {
		a, b string
		d    int
	}{{"", "", 0}, {"count", "count", 0}, {"cont", "count", 1}, {"counts", "count", 1}, {"kitten", "sitting", 3},
		{"", "abc", 3}, {"rcf", "rfc", 1}, {"ab", "ba", 1}, {"abcd", "badc", 2}, {"ca", "abc", 3}} {
		if d := Distance(k.a, k.b); d != k.d {
			t.Errorf("%q to %q: %d, want %d", k.a, k.b, d, k.d)
		}
	}
}

func TestTheNearestNameIsFoundWithinADistance(t *testing.T) {
	names := []string{"FADD", "FFMA", "FMUL"}
	for word, want := range map[string]string{"FFMAA": "FFMA", "FXXX": "", "FFMA": "FFMA", "FMUK": "FMUL", "F": "",
		"": ""} {
		if got := Of(word, names, 2); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

func TestAHintNamesTheNearestNameInEitherCase(t *testing.T) {
	names := []string{"lavaMD", "owf", "ltrf", "cerf-fair", "cerf-prioritized", "rfc", "sgemm"}
	for word, want := range map[string]string{"LAVAMD": "; did you mean lavaMD?", "sgemn": "; did you mean sgemm?",
		"rcf": "; did you mean rfc?", "cerf": "; did you mean cerf-fair?", "lrtf": "; did you mean ltrf?",
		"lava": "; did you mean lavaMD?", "vecadd": "", "": ""} {
		if got := Hint(word, names); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}
