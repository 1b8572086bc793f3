package cuda

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var archName = regexp.MustCompile(`^sm_(\d{2,3})([af]?)$`)

func errArch(arch string) error {
	return fmt.Errorf("--arch %s: expected an architecture from sm_50 on, such as sm_70", arch)
}

// Clang is an installed clang.
type Clang struct {
	path    string
	Version string // such as 19.1.7
}

// Find returns the clang named by the environment variable CLANG. Without the variable it returns the first clang on
// the PATH of version Oldest or newer.
func Find(ctx context.Context) (*Clang, error) {
	if own := os.Getenv("CLANG"); own != "" {
		c, err := look(ctx, own)
		if err != nil {
			return nil, fmt.Errorf("CLANG=%s: %w", own, err)
		}
		return c, nil
	}
	var old error
	for _, name := range names {
		c, err := look(ctx, name)
		if err == nil {
			return c, nil
		}
		if !errors.Is(err, exec.ErrNotFound) && old == nil {
			old = fmt.Errorf("%s: %w", name, err)
		}
	}
	if old != nil {
		return nil, old
	}
	return nil, fmt.Errorf("found no clang, which compiles .cu files, expected clang %d or newer: install it "+
		"(on Debian and Ubuntu: apt install clang-%d) or name it in the environment variable CLANG", Oldest, Oldest)
}

// look returns the clang of a name or path.
func look(ctx context.Context, name string) (*Clang, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, err
	}
	out, err := exec.CommandContext(ctx, path, "-dumpversion").Output()
	if err != nil {
		return nil, fmt.Errorf("does not tell its version: %w", err)
	}
	version := strings.TrimSpace(string(out))
	major, _, _ := strings.Cut(version, ".")
	if n, err := strconv.Atoi(major); err != nil || n < Oldest {
		return nil, fmt.Errorf("found clang %q, expected %d or newer (on Debian and Ubuntu: apt install clang-%d)",
			version, Oldest, Oldest)
	}
	return &Clang{path, version}, nil
}

// generated is the count at the end of clang's messages.
var generated = regexp.MustCompile(`(?m)^\d+ (warning|error)s?( and \d+ errors?)? generated.*\n?`)

// run runs clang. It returns the standard output and the warnings. In messages, the folder of the headers, dir, has a
// fixed name.
func (c *Clang) run(ctx context.Context, dir string, args []string) (out []byte, warnings string, err error) {
	cmd := exec.CommandContext(ctx, c.path, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = time.Second // clang's own processes may outlive an interrupted clang
	err = cmd.Run()
	text := strings.ReplaceAll(stderr.String(), dir+string(os.PathSeparator), "<kumiko>/")
	text = strings.TrimSpace(generated.ReplaceAllString(text, ""))
	switch {
	case err == nil:
		return stdout.Bytes(), text, nil
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case text == "":
		return nil, "", fmt.Errorf("clang %s: %w", c.Version, err)
	}
	if m := missing.FindStringSubmatch(text); m != nil {
		text += fmt.Sprintf("\n%s: a header of your own is found by kumiko compile FILE.cu -I FOLDER -o FILE.ptx; of "+
			"CUDA's, Kumiko has those in docs/cuda.md", m[1])
	}
	return nil, "", errors.New(text)
}

// missing is clang's message about a header that is not there.
var missing = regexp.MustCompile(`(?m)fatal error: '(.*)' file not found$`)

// Path returns the path of the program.
func (c *Clang) Path() string { return c.path }
