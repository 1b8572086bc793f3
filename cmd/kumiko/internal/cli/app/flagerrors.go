package app

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kumiko/internal/nearest"
)

// expected describes the valid values of a flag by the flag's type.
var expected = map[string]string{
	"int": "an integer", "uint64": "an integer of at least 0", "float64": "a number", "bool": "true or false",
}

var badValue = regexp.MustCompile(`^invalid argument "(.*)" for "(?:-., )?--([a-z-]+)" flag: `)

var unknownFlag = regexp.MustCompile(`^unknown flag: (--.*)$`)

// flagError replaces the flag parser's error message by a clearer one in one line.
func flagError(c *cobra.Command, err error) error {
	if m := badValue.FindStringSubmatch(err.Error()); m != nil {
		if f := c.Flags().Lookup(m[2]); f != nil && expected[f.Value.Type()] != "" {
			return fmt.Errorf("--%s: found %q, expected %s", m[2], m[1], expected[f.Value.Type()])
		}
	}
	if m := unknownFlag.FindStringSubmatch(err.Error()); m != nil {
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, "--"+f.Name)
			}
		})
		return fmt.Errorf("%w%s", err, nearest.Hint(m[1], names))
	}
	return err
}

// WithoutNUL refuses arguments with a NUL byte. File names cannot contain NUL bytes, but some of them are used only
// at the end of a run.
func WithoutNUL(args []string) error {
	for _, arg := range args {
		if strings.ContainsRune(arg, 0) {
			return fmt.Errorf("found a NUL byte in the argument %q, expected none", arg)
		}
	}
	return nil
}

// Nameless refuses an empty name given to one of the flags for files and folders, such as from an unset shell
// variable, and the next flag in the place of a name.
func Nameless(c *cobra.Command, flags ...string) error {
	for _, name := range flags {
		if f := c.Flags().Lookup(name); f.Changed && f.Value.String() == "" {
			return fmt.Errorf("--%s: found an empty name, expected that of a file or folder", name)
		} else if v := f.Value.String(); f.Changed && strings.HasPrefix(v, "--") {
			return fmt.Errorf("--%s: found the flag %s, expected the name of a file or folder "+
				"(./%s if it has this name)", name, v, v)
		}
	}
	return nil
}

// setOnce refuses two settings of one key.
func setOnce(set []string) error {
	seen := map[string]string{}
	for _, s := range set {
		key, _, _ := strings.Cut(s, "=")
		if key = strings.TrimSpace(key); seen[key] != "" {
			return fmt.Errorf("--set %s: %s is set already, by --set %s; expected it once", s, key, seen[key])
		}
		seen[key] = s
	}
	return nil
}

// Meaningless refuses flags without effect. It names the first of the flags given. why names the case with an
// effect.
func Meaningless(c *cobra.Command, why string, flags ...string) error {
	for _, name := range flags {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--%s: %s", name, why)
		}
	}
	return nil
}

var exclusive = regexp.MustCompile(`^if any flags in the group \[.*\] are set none of the others can be; \[(.*)\] were all set$`)

// groupError rewrites the error about mutually exclusive flags.
func groupError(err error) error {
	if m := exclusive.FindStringSubmatch(err.Error()); m != nil {
		return errors.New("--" + strings.ReplaceAll(m[1], " ", " and --") + ": expected one of them alone")
	}
	return err
}
