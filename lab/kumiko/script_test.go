package main

import (
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"kumiko": main}) }

// TestScripts runs the command lines of each file of testdata/script in a folder with the files that stand at the
// script's end.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status}})
}

// status runs a command and requires the given exit status: status 2 kumiko study claims x.
func status(ts *testscript.TestScript, neg bool, args []string) {
	got := "0"
	if e, ok := ts.Exec(args[1], args[2:]...).(interface{ ExitCode() int }); ok {
		got = strconv.Itoa(e.ExitCode())
	}
	if neg || got != args[0] {
		ts.Fatalf("exit status %s, want %s", got, args[0])
	}
}
