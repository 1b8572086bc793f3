// Package gpgpusim makes GPU files of configurations of GPGPU-Sim and Accel-Sim.
//
// Every option has one of three fates: it becomes settings of the GPU; or it has no influence on the cycles of one
// kernel after the other, as those for statistics; or it is left out, and the file says what that changes. Values that
// the two simulators count from different places are converted; the line in the file says how.
package gpgpusim

import (
	"fmt"
	"strings"
)

// An Option is an option of a configuration with its value.
type Option struct {
	Name, Value string // the name without its dash
	File        string
	Line        int // from 1 on
}

// place returns the option's place for messages.
func (o *Option) place() string { return fmt.Sprintf("%s:%d", o.File, o.Line) }

// Parse returns the options of a configuration, the last of each name, in the order of their first occurrence. A value
// may be quoted and then extend over several lines. From # on a line is a comment.
func Parse(file string, data []byte) ([]Option, error) {
	var list []Option
	at := map[string]int{} // places in list
	last := -1             // option that words belong to
	for i, line := range strings.Split(string(data), "\n") {
		line, _, _ = strings.Cut(line, "#")
		for _, word := range strings.Fields(line) {
			switch {
			case len(word) > 1 && word[0] == '-' && (word[1] == '_' || word[1] >= 'A'):
				o := Option{Name: word[1:], File: file, Line: i + 1}
				if k, ok := at[o.Name]; ok {
					list[k], last = o, k
					break
				}
				at[o.Name], last = len(list), len(list)
				list = append(list, o)
			case last < 0 || strings.HasPrefix(word, "<<<<") || strings.HasPrefix(word, "====") ||
				strings.HasPrefix(word, ">>>>"):
				last = -1 // the rest of a merge that a published file has
			default:
				list[last].Value += strings.Trim(word, `"`)
			}
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: found no option, expected lines as -gpgpu_n_clusters 15", file)
	}
	return list, nil
}
