package mum

import (
	"bytes"
	"testing"
)

func TestTheTreeKnowsEveryWordOfItsText(t *testing.T) {
	text := []byte("ACGACGTTACGAAC$")
	tr := newTree(text)
	for i := range text {
		for j := i + 1; j <= len(text); j++ {
			if _, n := tr.find(text[i:j]); n != j-i {
				t.Fatalf("%s is found for %d letters", text[i:j], n)
			}
		}
	}
	if _, n := tr.find([]byte("CGTTG")); n != 4 {
		t.Errorf("CGTTG is found for %d letters, expected CGTT", n)
	}
}

func TestASuffixLinkDropsTheFirstLetter(t *testing.T) {
	tr := newTree([]byte("ACGACGTTACGAAC$"))
	inner := 0
	for v := 1; v < len(tr.nodes); v++ {
		if len(tr.nodes[v].child) == 0 {
			continue
		}
		inner++
		if got, want := tr.path(tr.nodes[v].link), tr.path(v)[1:]; !bytes.Equal(got, want) {
			t.Errorf("the link of %s leads to %s", tr.path(v), got)
		}
	}
	if inner == 0 {
		t.Error("no inner node")
	}
}
