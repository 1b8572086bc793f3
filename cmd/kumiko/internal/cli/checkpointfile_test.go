package cli

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"kumiko/gpus"
)

func TestACheckpointComesBackWithItsState(t *testing.T) {
	dir := t.TempDir()
	c := checkpoint{Format: checkpointFormat, Version: "1", Args: []string{"run", "x"},
		At: &gpus.Point{Launch: 2, CTAs: 7}}
	if err := c.write(dir, func(w io.Writer) error {
		_, err := w.Write([]byte("the state"))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	got, state, err := openCheckpoint(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer state.Close()
	data, err := io.ReadAll(state)
	if err != nil || string(data) != "the state" || *got.At != *c.At || got.Args[1] != "x" {
		t.Errorf("%q, %+v, %v", data, got, err)
	}
}

func TestAStateThatIsDamagedIsAnError(t *testing.T) {
	dir := t.TempDir()
	c := checkpoint{Format: checkpointFormat}
	if err := c.write(dir, func(w io.Writer) error {
		_, err := w.Write(bytes.Repeat([]byte("the state"), 1000))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, checkpointFile)
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-20] ^= 1
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	_, state, err := openCheckpoint(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer state.Close()
	if _, err := io.ReadAll(state); err == nil {
		t.Error("no error")
	}
}

func FuzzCheckpoint(f *testing.F) {
	f.Add([]byte(`{"kumiko_checkpoint":1,"at":{"Launch":1}}` + "\n"))
	f.Fuzz(func(_ *testing.T, data []byte) {
		_, _ = readCheckpoint(bufio.NewReader(bytes.NewReader(data)))
	})
}
