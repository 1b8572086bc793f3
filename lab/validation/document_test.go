package validation

import (
	"bytes"
	"testing"
)

const sample = "a\n<!-- trips: made by crosscheck -update -->\nold\n\nlines\n<!-- end of trips -->\nb\n"

func TestAPartOfADocumentIsReplacedBetweenItsLinesAndNothingElse(t *testing.T) {
	got, err := Replace([]byte(sample), "trips", []byte("new\n"))
	want := "a\n<!-- trips: made by crosscheck -update -->\nnew\n<!-- end of trips -->\nb\n"
	if err != nil || string(got) != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	if is, err := partOf(got, "trips"); err != nil || string(is) != "new\n" {
		t.Errorf("the part is %q, %v", is, err)
	}
	if is, err := partOf([]byte(sample), "trips"); err != nil || string(is) != "old\n\nlines\n" {
		t.Errorf("the part was %q, %v", is, err)
	}
}

func TestADocumentWithoutThePartIsRefused(t *testing.T) {
	for _, doc := range []string{"a\n", "<!-- trips: made by crosscheck -update -->\nno end\n"} {
		if got, err := Replace([]byte(doc), "trips", nil); err == nil {
			t.Errorf("%q became %q", doc, got)
		}
	}
}

// partOf returns the text between the begin and end lines of a part in a document.
func partOf(doc []byte, part string) ([]byte, error) {
	without, err := Replace(doc, part, nil)
	if err != nil {
		return nil, err
	}
	at := bytes.Index(doc, []byte("<!-- "+part+":"))
	from := at + bytes.IndexByte(doc[at:], '\n') + 1
	return doc[from : from+len(doc)-len(without)], nil
}
