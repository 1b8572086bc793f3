package main

import (
	"regexp"
	"strconv"
	"strings"

	"kumiko/lab/claims"
)

// numbered matches the number of a figure or table: 9, 14(a), III.
const numbered = `(?:\d+|[IVX]+)(?:\([a-z]\))?`

var (
	figures = regexp.MustCompile(`(?i)\bfig(?:ure)?s?\.?\s+(` + numbered + `(?:(?:, | and | to )` + numbered + `)*)`)
	tables  = regexp.MustCompile(`(?i)\btables?\s+(` + numbered + `(?:(?:, | and | to )` + numbered + `)*)`)
	letters = regexp.MustCompile(`\([a-z]\)`)
)

// places returns the figures and tables named in a text, such as "figure 9" and "table II".
func places(text string) map[string]bool {
	out := map[string]bool{}
	for kind, expr := range map[string]*regexp.Regexp{"figure ": figures, "table ": tables} {
		for _, m := range expr.FindAllStringSubmatch(text, -1) {
			for _, part := range strings.Split(strings.ReplaceAll(m[1], " and ", ", "), ", ") {
				first, last, ok := strings.Cut(part, " to ")
				if a, b := number(first), number(last); ok && a > 0 && b > 0 {
					for n := a; n <= b; n++ {
						out[kind+strconv.Itoa(n)] = true
					}
					continue
				}
				out[kind+letters.ReplaceAllString(first, "")] = true
			}
		}
	}
	return out
}

func number(text string) int {
	n, err := strconv.Atoi(letters.ReplaceAllString(text, ""))
	if err != nil {
		return 0
	}
	return n
}

// about returns the outcomes of the claims at one of the places of a text.
func about(outcomes []claims.Outcome, text string) (out []*claims.Outcome) {
	at := places(text)
	for i := range outcomes {
		for p := range places(outcomes[i].Claim.Where) {
			if at[p] {
				out = append(out, &outcomes[i])
				break
			}
		}
	}
	return out
}
