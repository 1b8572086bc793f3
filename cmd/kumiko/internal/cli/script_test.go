package cli_test

import (
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"kumiko/cmd/kumiko/extras"
	"kumiko/cmd/kumiko/internal/cli"
	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/cmd/kumiko/internal/cuda"
)

func TestMain(m *testing.M) {
	program := func(version string) func() {
		return func() {
			p := cli.App{New: app.Assemble, Version: version, Stdout: os.Stdout, Stderr: os.Stderr}
			if version != "" {
				extras.SVG(&p.Extras)
				extras.Parquet(&p.Extras)
				extras.Man(&p.Extras)
			}
			os.Exit(p.Main(os.Args[1:]))
		}
	}
	testscript.Main(m, map[string]func(){"kumiko": program("0.1.0"), "kumiko-next": program("0.2.0"),
		"kumiko-plain": program(""), "kumiko-full": func() { fillDisk(); program("0.1.0")() }})
}

// fillDisk has the system refuse further bytes to this process, as a full disk does; see fulldisk_test.go.
var fillDisk = func() {}

// TestScripts runs the command lines of each file of testdata/script in a folder containing the files listed at the
// script's end.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status},
		Condition: func(name string) (bool, error) {
			switch name {
			case "clang":
				_, err := cuda.Find(t.Context())
				return err == nil, nil
			case "hangups":
				// Under nohup the programs run by a script ignore hangups too.
				return !signal.Ignored(syscall.SIGHUP), nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
	})
}

// status runs a command and requires the given exit status: status 2 kumiko run x.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command [args...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if e, ok := err.(interface{ ExitCode() int }); ok {
		got = strconv.Itoa(e.ExitCode())
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != args[0] {
		ts.Fatalf("exit status %s, want %s", got, args[0])
	}
}
