package suite

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"kumiko/kernel/cubin/tools"
)

const twoSequences = `kind,cycles_1,cycles_8,cycles_16,sequence
residues,514,1028,2056,"[B------:R-:W-:-:S01] FADD R40, R8, R9;"
two,1540,3080,6160,"[B------:R-:W-:-:S02] FFMA R40, R8, R9, R10; [B------:R-:W-:-:S04] IADD3 R41, R8, R9, R10;"
`

// A sub-core issues an addition of registers in both banks per cycle. The second sequence's stalls are 6 cycles of one
// warp; with more warps in a sub-core both instructions take two cycles each, for two registers of one bank and for the
// unit of integers.
func TestSequencesAreSimulatedByOneEightAndSixteenWarps(t *testing.T) {
	dir := fstest.MapFS{RegistersFile: &fstest.MapFile{Data: []byte(twoSequences)}}
	list, err := Registers(dir, "h100", func(string) bool { return true })
	if err != nil || len(list) != 6 {
		t.Fatalf("%d rows, %v; want three of each sequence", len(list), err)
	}
	for i, want := range []struct{ measured, simulated float64 }{{514. / 512, 1}, {1028. / 512, 2}, {2056. / 512, 4},
		{1540. / 256, 6}, {3080. / 256, 8}, {6160. / 256, 16}} {
		o := &list[i]
		if o.Refused != nil || o.Measured != want.measured || o.Simulated < 0.98*want.simulated ||
			o.Simulated > 1.02*want.simulated {
			t.Errorf("%s: measured %v, simulated %v, %v; want %v, %v", o.Name, o.Measured, o.Simulated, o.Refused,
				want.measured, want.simulated)
		}
	}
	if list, err := Registers(fstest.MapFS{}, "h100", nil); list != nil || err != nil {
		t.Errorf("a chip without sequences: %v, %v", list, err)
	}
}

func TestAWrongRowOfSequencesIsRefusedWithItsPlace(t *testing.T) {
	for text, want := range map[string]string{
		strings.Replace(twoSequences, "514", "none", 1): "registers.csv:2:10: found \"none\", expected a positive " +
			"number",
		strings.Replace(twoSequences, "FADD", "FFFF", 1): "registers.csv, row 1:",
	} {
		dir := fstest.MapFS{RegistersFile: &fstest.MapFile{Data: []byte(text)}}
		_, err := Registers(dir, "h100", func(string) bool { return true })
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// The script itself compares what it writes into machine code with what nvdisasm reads there.
func TestTheEncodingsOfTheSequencesAreThoseOfTheDisassembler(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skipf("no Python: %v", err)
	}
	cmd := exec.Command(python, filepath.Join("..", "registers.py"), "check")
	cmd.Env = append(cmd.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	if p := os.Getenv("PTXAS"); p != "" {
		cmd.Env = append(cmd.Env, "PATH="+filepath.Dir(p)+string(os.PathListSeparator)+os.Getenv("PATH"))
	} else if _, err := tools.Find(); err != nil {
		t.Skip(err)
	}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "encoded as nvdisasm reads them") {
		t.Errorf("%v: %s", err, out)
	}
}
