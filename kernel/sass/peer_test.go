package sass

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// findings checks a trace of one CTA of a warp and returns the findings without the file's name.
func findings(t *testing.T, text string) []string {
	t.Helper()
	var out []string
	file := write(t, "k.traceg", text)
	list, err := Check(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		out = append(out, strings.TrimPrefix(list[i].String(), file))
	}
	return out
}

// volta is a trace for compute capability 7.0 with the lines of a warp.
func volta(lines string) string {
	return strings.Replace(head("1,1,1", "32,1,1"), "version = 80", "version = 70", 1) + block("0,0,0", lines)
}

const fine = "0000 ffffffff 1 R1 IADD3 2 R2 R3 0 0\n"

func TestWhatAccelSimRefusesOrMisreadsIsFound(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{volta(fine), ""},
		{strings.Replace(volta(fine), "version = 70", "version = 52", 1),
			":7: refused: found -binary version = 52, expected one of 35, 60, 61, 70, 75, 80, 86"},
		{strings.Replace(volta(fine), "-binary version = 70\n", "", 1),
			":1: misread: found no line -binary version, expected one: its value is left undefined"},
		{strings.Replace(volta(fine), "-kernel id = 1\n", "", 1),
			":1: misread: found no line -kernel id, expected one: its value is left undefined"},
		{volta("0000 ffffffff 1 R1 UIADD3 2 R2 R3 0 0\n"),
			":23: refused: found the opcode UIADD3, expected one of the table for -binary version = 70"},
		{volta(fine + "0010 ffffffff 0 BRA 0 0 0\n"),
			":24: needs: a specialised unit 1 (-specialized_unit_1), for branches"},
		{volta("0000 ffffffff 1 R1 HMMA.1688.F32 3 R2 R4 R6 0 0\n"),
			":23: needs: a specialised unit 3 (-specialized_unit_3), for matrix operations"},
		{volta("0000 ffffffff 2 R1 R2 IADD3 2 R2 R3 0 0\n"),
			":23: refused: found 2 results and 2 sources of IADD3, expected at most 1 and 4"},
		{volta("0000 ffffffff 1 R1 IADD3 5 R1 R2 R3 R4 R5 0 0\n"),
			":23: refused: found 1 results and 5 sources of IADD3, expected at most 1 and 4"},
		{volta("0000 ffffffff 1 R1 IADD3 2 R2 UR4 0 0\n"),
			":23: misread: found a predicate or a uniform register among the operands of IADD3, expected R0 to R255: " +
				"its number is left undefined"},
		{volta("0000 ffffffff 1 R1 IADD3 2 R2 RZ 0 0\n"),
			":23: misread: found RZ among the operands of IADD3, expected a register by its number, such as R255"},
		{volta("0000 ffffffff 0 ATOMS.ADD 2 R2 R3 4 1 0x100 4 0\n"),
			":23: misread: found no result of ATOMS.ADD, expected one, R255 if nobody reads it: it is never counted"},
		{volta("0000 ffffffff 1 R255 ATOMS.ADD 2 R2 R3 4 1 0x100 4 0\n"), ""},
		{volta("0000 ffffffff 1 R1 LDG.E.S8 1 R2 1 1 0x100 4 0\n"),
			":23: misread: found LDG.E.S8, which accesses 1 bytes per lane; by its suffixes it is taken for 4"},
		{volta("0000 ffffffff 1 R1 LDG.E.U8 1 R2 1 1 0x100 4 0\n"), ""},
		{volta("0000 0000000d 1 R1 LDG.E 1 R2 4 1 0x100 4 0\n"),
			":23: misread: found addresses by base and stride for lanes that do not stand together; only those of " +
				"the " +
				"first lanes without a gap are read"},
		{volta("0000 0000000e 1 R1 LDG.E 1 R2 4 1 0x100 4 0\n"), ""},
		{strings.Replace(volta("0000 ffffffff 1 R1 LD.E 1 R2 4 1 0x100 4 0\n"), "-shmem base_addr", "-shmem addr", 1),
			":23: misread: found LD.E, and no -shmem base_addr or no -local mem base_addr: it is taken for an " +
				"access of " +
				"shared memory"},
		{strings.Replace(volta(fine), "(32,1,1)", "(64,1,1)", 1),
			":25: refused: found a thread block with a warp without instructions, expected some for each of its 2 " +
				"warps"},
		{strings.Replace(volta(fine), "insts = 1", "insts = 2", 1),
			":25: unread: found \"#END_TB\", expected 1 more instructions of warp 0; the rest of the trace is not " +
				"checked"},
		{strings.TrimRight(volta(fine), "\n"), ": refused: found no end of the last line, expected one"},
		{withoutFormat(volta(fine)),
			":1: refused: found no line #traces format: the first #BEGIN_TB is taken for it"},
	} {
		var want []string
		if c.want != "" {
			want = []string{c.want}
		}
		if d := cmp.Diff(want, findings(t, c.text)); d != "" {
			t.Errorf("%s\n(-want +found):\n%s", c.text, d)
		}
	}
}

// ofBinary is the trace fine for another compute capability.
func ofBinary(n, line string) string {
	return strings.Replace(volta("0000 ffffffff "+line+"\n"), "version = 70", "version = "+n, 1)
}

func TestOpcodesAreLookedUpInTheTableOfTheComputeCapability(t *testing.T) {
	const missing = ":23: refused: found the opcode %s, expected one of the table for -binary version = %s"
	for _, c := range []struct{ binary, line, opcode, found string }{
		{"86", "1 R1 VIADD 2 R2 R3 0 0", "VIADD", missing}, {"80", "0 LDGDEPBAR 0 0", "", ""},
		{"75", "0 LDGDEPBAR 0 0", "LDGDEPBAR", missing}, {"75", "1 R1 SHL 1 R2 0 0", "", ""},
		{"70", "1 R1 SHL 1 R2 0 0", "SHL", missing}, {"61", "1 R1 XMAD 2 R2 R3 0 0", "", ""},
		{"70", "1 R1 XMAD 2 R2 R3 0 0", "XMAD", missing}, {"60", "1 R1 HMMA.884.F32 2 R2 R3 0 0", "HMMA", missing},
		{"35", "1 R1 LOP3.LUT 2 R2 R3 0 0", "LOP3", missing}, {"35", "1 R1 ISUB 2 R2 R3 0 0", "", ""},
		{"61", "0 BRA 0 0", "", ""},
		{"75", "0 BRA 0 0", "1 (-specialized_unit_1), for", ":23: needs: a specialised unit %s branches"},
		{"75", "0 KILL 0 0", "3 (-specialized_unit_3), for", ":23: needs: a specialised unit %s matrix operations"},
	} {
		want := strings.Replace(strings.Replace(c.found, "%s", c.opcode, 1), "%s", c.binary, 1)
		got := strings.Join(findings(t, ofBinary(c.binary, c.line)), "\n")
		if got != want {
			t.Errorf("%s for %s: %q, want %q", c.line, c.binary, got, want)
		}
	}
}

func TestATraceOfHopperIsRefusedAsTextAndReadInTheCompressedForm(t *testing.T) {
	const line = "0000 ffffffff 1 R1 VIADD 2 R2 UR4 0 0\n"
	text := strings.Replace(head("1,1,1", "32,1,1"), "version = 80", "version = 90", 1)
	list := findings(t, text+block("0,0,0", line))
	if want := ":7: refused: found -binary version = 90, expected one of 35, 60, 61, 70, 75, 80, 86"; len(list) == 0 ||
		list[0] != want {
		t.Errorf("%q, want %q first", list, want)
	}
	file := write(t, "k.tracez", string(packed(t, text, nil, nil, [][]string{{line}})))
	if got, err := Check(file); err != nil || len(got) != 0 {
		t.Errorf("%v, %v, want nothing", got, err)
	}
}

func TestTracesWithoutAVersionOrTheLastEndAreReadByAccelSim(t *testing.T) {
	old := strings.Replace(volta("0 0 0 0 "+fine), "-accelsim tracer version = 5\n", "", 1)
	for _, text := range []string{old, strings.Replace(old, "#END_TB\n\n", "", 1),
		strings.Replace(volta(fine), "#END_TB\n\n", "", 1)} {
		if got := findings(t, text); len(got) != 0 {
			t.Errorf("%q, want nothing, in\n%s", got, text)
		}
	}
}

// withoutFormat is a trace without the line #traces format.
func withoutFormat(text string) string {
	from := strings.Index(text, "#traces")
	return text[:from] + text[from+strings.Index(text[from:], "\n")+1:]
}

func TestThreadBlocksOutOfTheGridsOrderAreFound(t *testing.T) {
	text := strings.Replace(head("2,1,1", "32,1,1"), "version = 80", "version = 70", 1) + block("1,0,0", fine) +
		block("0,0,0", fine)
	want := []string{": misread: the thread blocks are not in the order of the grid; they are launched in that of " +
		"the file"}
	if d := cmp.Diff(want, findings(t, text)); d != "" {
		t.Error(d)
	}
}

func TestOneTextIsFoundOnceInAFile(t *testing.T) {
	if got := findings(t, volta("0000 ffffffff 0 BRA 0 0 0\n0010 ffffffff 0 BRX 0 0 0\n")); len(got) != 1 {
		t.Errorf("found %q, expected one", got)
	}
}

func TestMissingTracesAndUnknownEndingsAreFound(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{ListName: "kernel-1.traceg\nMemcpyHtoD,0x1000,4\nkernel-2.traceg.gz\n",
		"kernel-2.traceg.gz": volta(fine)} {
		put(t, filepath.Join(dir, name), text)
	}
	list, err := Check(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []Finding{
		{filepath.Join(dir, ListName), 1, Refused, "the trace " + filepath.Join(dir, "kernel-1.traceg") +
			" is missing"},
		{filepath.Join(dir, "kernel-2.traceg.gz"), 0, Refused,
			"found the ending .gz, expected .traceg or .xz, or for Accel-Sim 2.0 .tracez"},
	}
	if d := cmp.Diff(want, list); d != "" {
		t.Error(d)
	}
	if _, err := Check(t.TempDir()); err == nil {
		t.Error("found no error for a folder without a list")
	}
}

func TestARecordingOfKumikosIsReadByAccelSimAsItIs(t *testing.T) {
	l := mustScan(t, shuffledText())
	for _, packed := range []bool{false, true} {
		list, err := Check(recorded(t, packed, l, ctasOf(t, l, shuffledText())))
		if err != nil {
			t.Fatal(err)
		}
		for i := range list {
			if list[i].Severity != Needs {
				t.Error(list[i].String())
			}
		}
	}
}
