package docs_test

import (
	"go/scanner"
	"go/token"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// oldWords maps private words to the words in use. Identifiers and comments have the words in use; docs/terms.md
// explains them.
var oldWords = map[string]string{
	"seat": "slot", "seats": "slots", "seated": "with slots", "seating": "slot allocator", "unseat": "unassign",
	"unseated": "unassigned", "aside": "pending, or inactive",
	"park": "deschedule", "parks": "deschedules", "parked": "pending, or descheduled", "parking": "descheduling",
	"audience": "observers", "owed": "outstanding, or unsent", "debt": "credit", "debts": "credit",
	"hear": "receive, or observe", "hears": "receives, or observes", "hearer": "listener", "hearing": "receiving",
	"heard": "received",
}

// wordsOf returns the words of an identifier or of a text, in lower case.
func wordsOf(text string) []string {
	var out []string
	var b strings.Builder
	end := func() {
		if b.Len() > 0 {
			out = append(out, strings.ToLower(b.String()))
			b.Reset()
		}
	}
	for _, r := range text {
		if !unicode.IsLetter(r) || unicode.IsUpper(r) {
			end()
		}
		if unicode.IsLetter(r) {
			b.WriteRune(r)
		}
	}
	end()
	return out
}

func TestWordsOfAnIdentifierEndAtCapitals(t *testing.T) {
	if got := wordsOf("newSeatBench, r.parked"); !slices.Equal(got, []string{"new", "seat", "bench", "r", "parked"}) {
		t.Errorf("words %q", got)
	}
}

func TestIdentifiersAndCommentsHaveNoOldWord(t *testing.T) {
	goFiles(t, func(file string, text []byte) {
		if strings.HasSuffix(file, "words_test.go") {
			return
		}
		var s scanner.Scanner
		files := token.NewFileSet()
		f := files.AddFile("", files.Base(), len(text))
		s.Init(f, text, nil, scanner.ScanComments)
		for {
			pos, tok, lit := s.Scan()
			if tok == token.EOF {
				return
			}
			if tok != token.IDENT && tok != token.COMMENT {
				continue
			}
			for _, w := range wordsOf(lit) {
				if better := oldWords[w]; better != "" {
					t.Errorf("%s:%d: found %q, expected %s", file, files.Position(pos).Line, w, better)
				}
			}
		}
	})
}
