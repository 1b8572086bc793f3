package inspect

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/internal/page"
	"kumiko/internal/page/pagetest"
)

// program returns a root command with the command inspect.
func program(a *app.App) *cobra.Command { return app.Root(a, Command(a)) }

func machineAs(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs strings.Builder
	a := app.App{Stdout: &out, Stderr: &errs, New: app.Assemble}
	if status := a.Main(append([]string{"inspect"}, args...), program); status != app.Done {
		t.Fatalf("status %d: %s", status, errs.String())
	}
	return out.String()
}

// A drawing scaled to 1280 px had text of 4.4 px.
func TestTheTextOfADrawingIsReadableAtItsSize(t *testing.T) {
	size := regexp.MustCompile(`viewBox="0 0 (\d+) (\d+)" width="(\d+)" height="(\d+)" font-family="[^"]*" font-size="(\d+)"`)
	for _, gpu := range []string{"fermi", "h100"} {
		m := size.FindStringSubmatch(machineAs(t, "--gpu", gpu, "--format", "svg"))
		if m == nil || m[1] != m[3] || m[2] != m[4] || m[5] != "11" {
			t.Errorf("%s: found sizes %v, want the drawing's own, and text of 11 px", gpu, m)
		}
	}
}

func TestADrawingIsWellFormedAndTheSameEachTime(t *testing.T) {
	args := []string{"--set", "slice.sms=2", "--set", "regfile.conventional.network=butterfly", "--format", "svg"}
	text := machineAs(t, args...)
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"RegFile.SubCore.Bank x 16", "RegFile.SubCore.Network.Router x 16", "SM 0 of 2",
		"16 x bank.Access, latency 1"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in it", want)
		}
	}
	if text != machineAs(t, args...) {
		t.Error("drawn again it is another drawing")
	}
}

func TestNoTextOfADrawingIsCutOffOrLiesUponAnother(t *testing.T) {
	files := map[string][]byte{}
	for _, gpu := range machinetest.Part(6, config.Names()) {
		files[gpu] = []byte(machineAs(t, "--gpu", gpu, "--format", "svg"))
	}
	got := pagetest.Measure(t, &page.Page{Title: "GPUs"}, nil, files)
	if got.Files != len(files) {
		t.Errorf("%d drawings are measured, want %d", got.Files, len(files))
	}
	for _, w := range got.Wrong {
		t.Error(w)
	}
}
