package suite

import (
	"bytes"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/ptx"
)

// listing returns instructions, given with their stall counts, in the format of nvdisasm -hex. A label stands
// alone.
func listing(name string, lines ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\t.section\t.text.%s,\"ax\",@progbits\n.text.%s:\n", name, name)
	pc := 0
	for _, l := range lines {
		if strings.HasSuffix(l, ":") {
			fmt.Fprintln(&b, l)
			continue
		}
		stall, text, _ := strings.Cut(l, " ")
		c := ir.Plain(0)
		if _, err := fmt.Sscan(stall, &c.Stall); err != nil {
			panic(err)
		}
		c.Yield = c.Stall >= 12
		fmt.Fprintf(&b, "        /*%04x*/                   %s ;  /* 0x%016x */\n%50s/* 0x%016x */\n", pc, text, 0, "",
			uint64(c.Bits())<<41)
		pc += 16
	}
	return b.String()
}

// Two FFMAs of a chain, each four cycles after the other, and the branch back.
var chain = listing("ffma_chain", "1 MOV R1, R2", ".L_x_0:", "4 FFMA R0, R0, R8, R9", "4 FFMA R0, R0, R8, R9",
	"4 IADD3 R3, R3, 0x1, RZ", "13 ISETP.GE.U32.AND P0, PT, R3, 0x100, PT", "5 @!P0 BRA `(.L_x_0)", "5 EXIT",
	".L_x_1:", "5 BRA `(.L_x_1)")

func TestTheLoopOfARowIsCutOutOfItsListing(t *testing.T) {
	l, err := cut("x.sass", chain, "FFMA")
	if err != nil {
		t.Fatal(err)
	}
	if len(l.code) != 5 || l.found != 2 || l.code[0].Sym != "FFMA" || l.code[4].Sym != "BRA" ||
		l.code[3].Control.Stall != 13 {
		t.Errorf("%d instructions, %d of them FFMA: %v", len(l.code), l.found, l.code)
	}
	for text, want := range map[string]string{
		"MUFU": "x.sass: found no loop with MUFU, expected one",
	} {
		if _, err := cut("x.sass", chain, text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	plain := "A:\nFFMA R0, R0, R8, R9;\nBRA A;\n"
	if _, err := cut("x.sass", plain, "FFMA"); err == nil ||
		!strings.HasPrefix(err.Error(), "x.sass:2:1: found FFMA without a control word") {
		t.Errorf("without control words: %v", err)
	}
}

// launched returns the listing of a loop that is launched.
func launched(t *testing.T, row string) []byte {
	t.Helper()
	text, err := fs.ReadFile(Chips[0].Files(), "launched/"+row+".sass")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// 4 + 4 + 4 + 13 cycles to the branch, five after the branch, and five until the branch has executed.
func TestALoopIsSimulatedBesideItsMeasurement(t *testing.T) {
	dir := fstest.MapFS{
		"loops.csv":             {Data: []byte("row,warps,passes,cycles\nffma_chain,1,256,8448\nbar,1,256,900\n")},
		"loops/ffma_chain.sass": {Data: []byte(chain)},
		"launched/bar.sass":     {Data: launched(t, "bar")},
	}
	got, err := Loops(dir, "h100", func(string) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].Refused != nil || got[0].Measured != 33 || got[0].Simulated != 34 {
		t.Errorf("%+v, want first a row of 33 cycles, simulated in 34", got)
	}
}

// A line of one word goes to the L2 in two cycles, a line with two sectors of one word each in three, and a whole
// line of an atomic in five: the cycles of loops.csv, of 64 instructions. The stores of four warps to the same words of
// eight lines, four sectors each, leave as one.
func TestALoopOfStoresOrAtomicsIsLaunchedAsAKernel(t *testing.T) {
	dir := fstest.MapFS{"loops.csv": {Data: []byte("row,warps,passes,cycles\nstg_32,1,256,1048576\n" +
		"stg_16,1,256,786432\nstg_8,4,256,655360\nred_1,4,256,327680\n")}}
	for _, row := range []string{"stg_8", "stg_16", "stg_32", "red_1"} {
		dir["launched/"+row+".sass"] = &fstest.MapFile{Data: launched(t, row)}
	}
	got, err := Loops(dir, "h100", func(string) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	classes := []string{"accesses", "accesses", "same words", "accesses"}
	for i, o := range got {
		if o.Refused != nil || o.Simulated != o.Measured || o.Class != classes[i] {
			t.Errorf("%+v, want as many cycles as measured, in class %s", o, classes[i])
		}
	}
}

func TestMistakesInMeasurementsAreToldWithTheirPlace(t *testing.T) {
	const loops, launches, empty = "row,warps,passes,cycles\n",
		"program,launch,kernel,cycles,warp_instructions,registers,mhz\n", "empty.1x32,0,empty,3000,2,16,1500\n"
	for _, c := range []struct{ file, text, want string }{
		{"loops.csv", "", "loops.csv:1:1: found the end of the file"},
		{"loops.csv", "device,row\n", "loops.csv:1:1: found 2 fields"},
		{"loops.csv", "row,warps,pass,cycles\n", `loops.csv:1:11: found "pass", expected passes`},
		{"loops.csv", loops + "fmas,1,256,700\n", `loops.csv:2:1: found "fmas", expected the name of a loop`},
		{"loops.csv", loops + "mufu,1,256,x\n", `loops.csv:2:12: found "x", expected a positive number`},
		{"loops.csv", loops + "mufu,0,256,700\n", `loops.csv:2:6: found "0", expected a positive number`},
		{"loops.csv", loops + "mufu,1,256,700,80\n", "loops.csv:2:1: found 5 fields"},
		{"launches.csv", launches, "launches.csv: found no row empty.1x32"},
		{"launches.csv", launches + "bfs,0,visit,1,1,1,1\n", `launches.csv:2:1: found "bfs", expected a built-in program`},
		{"launches.csv", launches + "bsf.small,0,visit,1,1,1,1\n", `launches.csv:2:1: found "bsf.small"`},
		{"launches.csv", launches + "bfs.small,-1,visit,1,1,1,1\n", `launches.csv:2:11: found "-1", expected a whole number`},
		{"memory.csv", "kind,row,value\nchase,l9,2\n", `memory.csv:2:7: found "l9", expected a row of this suite`},
	} {
		dir := fstest.MapFS{c.file: {Data: []byte(c.text)}}
		if c.file == "memory.csv" {
			dir["launches.csv"] = &fstest.MapFile{Data: []byte(launches + empty)}
		}
		none := func(string) bool { return false }
		err := map[string]func() error{
			"loops.csv":    func() error { _, err := Loops(dir, "h100", none); return err },
			"launches.csv": func() error { _, err := Launches(dir, "h100", nil, none, func([]Outcome) {}); return err },
			"memory.csv":   func() error { _, err := Memory(dir, "h100", none); return err },
		}[c.file]()
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s", c.file, err, c.want)
		}
	}
}

// The kernels are PTX readable by this project. On its machines they run to their end.
func TestEveryKernelOfTheSuiteRuns(t *testing.T) {
	rows := Rows()
	for i := range rows {
		if testing.Short() && i%8 != 0 {
			continue
		}
		t.Run(rows[i].Name, func(t *testing.T) { runKernel(t, &rows[i]) })
	}
}

// runKernel runs a row with two warps on an H100 with one SM.
func runKernel(t *testing.T, r *Row) {
	t.Helper()
	module, err := ptx.Parse(r.Name+".ptx", []byte(r.PTX(90)))
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(config.Request{GPU: "h100", Set: []string{"sm.count=1"}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := gpus.New(cfg, gpus.Options{Check: true})
	if err != nil {
		t.Fatal(err)
	}
	buf := m.Memory().Alloc("out", Bytes)
	if err := m.Launch(&host.Launch{Module: module, Kernel: r.Name, Grid: [3]int{1, 1, 1}, Block: [3]int{64, 1, 1},
		Args: []host.Arg{host.U64(buf)}}); err != nil {
		t.Fatal(err)
	}
	k := m.Results()[0]
	if n := k.WarpInstructions; n < 2*Passes*body || n > 2*Passes*5*body {
		t.Errorf("%d warp instructions, want one to five for each of %d lines in each of %d passes", n, 2*body, Passes)
	}
}

func TestTheScriptsNameEveryPassAndEveryColumn(t *testing.T) {
	for file, wants := range map[string][]string{
		"loops.py": {fmt.Sprintf("PASSES = %d ", Passes), strings.Join(columns[LoopsFile], ","),
			fmt.Sprintf("BYTES = 1 << %d", int(math.Log2(Bytes)))},
		"profile.py":  {strings.Join(columns[LaunchesFile], ","), strings.Join(columns[MemoryFile], ",")},
		"programs.py": {strings.Join(columns[OutputsFile], ",")},
	} {
		text, err := os.ReadFile(filepath.Join("..", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s has no %q", file, want)
			}
		}
	}
}

func TestPythonReadsTheScripts(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3 to read the scripts")
	}
	const script = "import ast, glob\nfor f in glob.glob('../*.py'): ast.parse(open(f).read())"
	if out, err := exec.Command(python, "-c", script).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func TestTheScriptSaysWhatItNeeds(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh")
	}
	dirname, err := exec.LookPath("dirname")
	if err != nil {
		t.Skip("there is no dirname")
	}
	bin := t.TempDir()
	if err := os.Symlink(dirname, filepath.Join(bin, "dirname")); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(sh, "../measure.sh", t.TempDir(), "90")
	c.Env = []string{"PATH=" + bin}
	out, err := c.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "not found: ptxas nvdisasm ncu python3") {
		t.Errorf("%v: %s", err, out)
	}
}

func TestWhatIsMeasuredOfAProgramIsWrittenAsAScript(t *testing.T) {
	dir := t.TempDir()
	t.Chdir("../../..")
	app := "vecadd"
	p, err := benchmarks.Find(app).New(benchmarks.Test)
	if err != nil {
		t.Fatal(err)
	}
	if err := script(dir, app, p, p.(interface{ Module() *ir.Module }).Module()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "script.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		got = append(got, strings.Join(f[:min(len(f), 3)], " "))
	}
	want := []string{"write memory 0x10000000", "write memory 0x10002100", "write memory 0x10004200",
		"measure vecadd 8",
		"result memory 0x10000000", "result memory 0x10002100", "result memory 0x10004200"}
	if !slices.Equal(got, want) {
		t.Errorf("commands %q, want %q", got, want)
	}
}

func TestEveryMeasuredLoopHasItsMachineCode(t *testing.T) {
	for i := range Chips {
		dir := Chips[i].Files()
		for _, r := range Rows() {
			if r.Chip {
				if !bytes.Contains(launched(t, r.Name), []byte(".text."+r.Name+":")) {
					t.Errorf("the listing of %s has no kernel of this name", r.Name)
				}
				continue
			}
			text, err := fs.ReadFile(dir, "loops/"+r.Name+".sass")
			if err != nil {
				t.Fatal(err)
			}
			if l, err := cut(r.Name, string(text), r.Op); err != nil || l.found < 8 {
				t.Errorf("%s: %v", r.Name, err)
			}
		}
	}
}
