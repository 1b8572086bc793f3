package main

import (
	"strings"
	"testing"
)

func TestRecordsOfAnotherVersionAreNotedBesideTheVerdicts(t *testing.T) {
	j := judged{others: "2 of 2 records are of another version"}
	var text, remarks strings.Builder
	if err := j.text(&text); err != nil {
		t.Fatal(err)
	}
	j.remarks(&remarks, "own.toml")
	if want := "\nnote: 2 of 2 records are of another version\n"; !strings.HasSuffix(text.String(), want) ||
		!strings.HasSuffix(remarks.String(), "\nown.toml: "+strings.TrimPrefix(want, "\n")) {
		t.Errorf("%q and %q", text.String(), remarks.String())
	}
}
