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

// withPart returns the rows with names containing part. It returns an error if there are none.
func withPart[T any](rows []T, name func(T) string, part, what string) ([]T, error) {
	kept := rows[:0:0]
	for _, r := range rows {
		if strings.Contains(name(r), part) {
			kept = append(kept, r)
		}
	}
	if len(kept) == 0 && part != "" {
		names := make([]string, len(rows))
		for i, r := range rows {
			names[i] = name(r)
		}
		return nil, fmt.Errorf("no %s has %q in its name%s", what, part, nearest.Hint(part, names))
	}
	return kept, nil
}
