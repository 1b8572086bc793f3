package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/cmd/kumiko/internal/cli"
	"kumiko/cmd/kumiko/internal/cli/app"
)

// inProcess runs a command in this process.
func inProcess(args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	p := cli.App{New: app.Assemble, Version: "0.1.0", Stdout: &out, Stderr: &errs}
	status = p.Main(args)
	return status, out.String(), errs.String()
}

// writing runs a command that writes files, in this process.
func writing(t *testing.T, args ...string) {
	t.Helper()
	if status, _, errs := inProcess(args...); status != app.Done {
		t.Fatalf("kumiko %s: status %d\n%s", strings.Join(args, " "), status, errs)
	}
}

// put writes a file.
func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// content reads a file.
func content(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// decode reads a file of JSON.
func decode(t *testing.T, file string, v any) {
	t.Helper()
	if err := json.Unmarshal(content(t, file), v); err != nil {
		t.Fatal(err)
	}
}

// absolute returns the path of a file from the root.
func absolute(t *testing.T, file string) string {
	t.Helper()
	path, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	return path
}
