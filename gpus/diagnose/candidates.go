package diagnose

import (
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"

	"kumiko/components/spec"
	"kumiko/internal/nearest"
)

// mostCandidates bounds the settings tried for a mistake.
const mostCandidates = 24

var (
	// word matches a possible value in the text of an expectation.
	word = regexp.MustCompile(`[A-Za-z0-9_][A-Za-z0-9_.+-]*`)
	// setting matches a key with its value there, such as regfile.conventional.sub_cores = 1.
	setting = regexp.MustCompile(`([a-z][a-z0-9_.]*) = ([A-Za-z0-9_.+-]*[A-Za-z0-9_])`)
	// named matches the key of a table with its value there, such as latency 2.
	named = regexp.MustCompile(`\b([a-z][a-z0-9_]*) ([0-9]+)\b`)
)

// Known are settings for mistakes without a value in their texts. Each one removes or shrinks a feature: control words,
// constant caches, the result bus, or the PCRF (registers of pending CTAs), set to half of a small register file.
var Known = [][]string{
	{"sched.dependences=scoreboard"},
	{"sm.constant_cache.lines=0"},
	{"regfile.conventional.bypass=false", "regfile.conventional.forward=2"},
	{"regfile.pcrf=512"},
}

// candidates returns settings to try against a mistake, the likeliest first: the nearest word of the expectation, for
// a misspelt value; the value of the GPU and the preset for the key; the other words of the expectation as the value of
// the key; settings in the text; known ones.
func candidates(mistake error, inherited map[string]any) (out [][]string) {
	add := func(key, value string) {
		if c := []string{key + "=" + value}; len(out) < mostCandidates &&
			!slices.ContainsFunc(out, func(x []string) bool { return slices.Equal(x, c) }) {
			out = append(out, c)
		}
	}
	var e *spec.Error
	if !errors.As(mistake, &e) {
		return Known
	}
	first, _, _ := strings.Cut(e.Want, ":")
	words := word.FindAllString(first, 16)
	if near := nearest.Of(e.Found, words, 2); near != "" {
		add(e.Key, near)
	}
	for _, key := range slices.Sorted(maps.Keys(inherited)) {
		if key == e.Key || strings.HasPrefix(key, e.Key+".") {
			if text, err := json.Marshal(inherited[key]); err == nil {
				add(key, strings.Trim(string(text), `"`))
			}
		}
	}
	for _, w := range words {
		add(e.Key, strings.TrimRight(w, "."))
	}
	section := e.Key[:max(strings.LastIndexByte(e.Key, '.'), 0)]
	for _, m := range setting.FindAllStringSubmatch(e.Want, 4) {
		key := m[1]
		if !strings.Contains(key, ".") && section != "" {
			key = section + "." + key
		}
		add(key, m[2])
	}
	for _, m := range named.FindAllStringSubmatch(e.Want, 4) {
		add(e.Key+"."+m[1], m[2])
	}
	add(e.Key, "[]")
	return append(out, Known...)
}

// concerns reports whether a mistake is about the key of one of the settings.
func concerns(mistake error, set []string) bool {
	var e *spec.Error
	return errors.As(mistake, &e) && slices.ContainsFunc(set, func(s string) bool {
		return strings.HasPrefix(s, e.Key+"=")
	})
}

// tried reports whether a mistake is placed at one of the settings, because its key cannot take a value of that form.
func tried(mistake error, set []string) bool {
	return slices.ContainsFunc(set, func(s string) bool {
		return strings.HasPrefix(mistake.Error(), "--set "+s+":")
	})
}
