package query

import (
	"regexp"
	"strings"

	"kumiko/study"
)

// quoted matches the names in expressions. A quote in a text of TOML may have a backslash before it.
var quoted = regexp.MustCompile(`"([A-Za-z0-9_.{}-]+)\\?"`)

// own has, by function, how the names of statistics begin that the function reads although no argument names them.
var own = map[string][]string{}

// Names declares the beginnings of the names of statistics read by a function. No argument of the function has these
// names.
func Names(function string, begins ...string) { own[function] = begins }

// Reads returns a function that reports whether an expression of the study's file, or of another text such as its
// claims, may read a statistic or a distribution: the expression has the name, or a beginning of the name that has a
// dot, as in statsum("bl", #, "regfile.bank.reads."), or it has a function with such a name of its own (Names). A name
// with a value put in, such as "cache.{}.hits", counts up to the value.
func Reads(s *study.Spec, texts ...string) func(name string) bool {
	names, begins := map[string]bool{}, []string{}
	for _, text := range append(texts, s.Text()) {
		for _, m := range quoted.FindAllStringSubmatch(text, -1) {
			name, _, cut := strings.Cut(m[1], "{")
			if !cut {
				names[name] = true
			}
			if strings.Contains(name, ".") {
				begins = append(begins, name)
			}
		}
		for function, list := range own {
			if strings.Contains(text, function+"(") {
				begins = append(begins, list...)
			}
		}
	}
	known := map[string]bool{}
	return func(name string) bool {
		read, ok := known[name]
		if !ok {
			read = names[name]
			for _, b := range begins {
				read = read || strings.HasPrefix(name, b)
			}
			known[name] = read
		}
		return read
	}
}
