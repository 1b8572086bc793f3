package page

// palette has the colours of reasons and warp states: green for used slots, blue for waits for memory, grey for
// slots without a warp able to use them.
var palette = map[string]string{
	"issued": "#2f9e44", "ready": "#2f9e44", "regfile_full": "#d9480f", "scoreboard": "#f59f00", "memory": "#1971c2",
	"fence": "#7048e8", "unpaired": "#ffa8a8", "inserted": "#a9e34b", "inactive": "#0b7285", "barrier": "#c2255c",
	"no_instruction": "#8d6e63", "drain": "#adb5bd", "empty": "#e9ecef",
}

// others are the colours of further reasons.
var others = []string{"#e64980", "#66a80f", "#5c940d", "#862e9c", "#495057"}

// Colours returns the scale of colours of a list of reasons or states, the same on all pages.
func Colours(names []string) map[string]any {
	var out []string
	next := 0
	for _, n := range names {
		c := palette[n]
		if c == "" {
			c = others[next%len(others)]
			next++
		}
		out = append(out, c)
	}
	return map[string]any{"domain": names, "range": out}
}
