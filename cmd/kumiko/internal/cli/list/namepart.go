package list

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/internal/nearest"
)

// namePart adds an optional argument to a command: a part of the listed names; "": all.
func namePart(c *cobra.Command) *string {
	part := ""
	c.Use += " [PART]"
	c.Args = func(c *cobra.Command, args []string) error {
		if len(args) > 1 {
			return fmt.Errorf("%s: unexpected argument %q; usage: %s", c.CommandPath(), args[1], c.UseLine())
		}
		part = strings.Join(args, "")
		return nil
	}
	return &part
}

// withPart returns the rows with names containing part; a row with several names has each on its own line. It returns
// an error if there are none.
func withPart[T any](rows []T, name func(T) string, part, what string) ([]T, error) {
	kept := rows[:0:0]
	for _, r := range rows {
		if strings.Contains(name(r), part) {
			kept = append(kept, r)
		}
	}
	if len(kept) == 0 && part != "" {
		var names []string
		for _, r := range rows {
			for _, n := range strings.Fields(name(r)) {
				names = append(names, sections(n)...)
			}
		}
		return nil, fmt.Errorf("no %s has %q in its name%s", what, part, nearest.Hint(part, names))
	}
	return kept, nil
}

// sections returns the parts of a name that begin and end at its dots, since a part of a name may be asked for.
func sections(name string) (out []string) {
	words := strings.Split(name, ".")
	for i := range words {
		for j := i + 1; j <= len(words); j++ {
			out = append(out, strings.Join(words[i:j], "."))
		}
	}
	return out
}
