package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/ptx"
)

// listing is what nvdisasm -hex prints of instructions behind their stall counts: a label stands alone.
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

// Two FFMAs of a chain, each four cycles behind the other, and the way back.
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

// 4 + 4 + 4 + 13 cycles to the branch, and 5 to the next pass. The measurements are made up, of 33 cycles a
// pass.
func TestTheTableHasWhatIsMeasuredBesideWhatIsSimulated(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "ffma_chain.sass", chain)
	put(t, dir, "measured.csv", "device,sm,row,warps,passes,cycles\nA chip,90,ffma_chain,1,256,8450\n"+
		"A chip,90,ffma_chain,1,256,8448\nA chip,90,mufu,4,256,25600\n")
	var b strings.Builder
	if err := Report(dir, "h100", &b); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range strings.Split(b.String(), "\n") {
		got = append(got, strings.Join(strings.Fields(l), " "))
	}
	all := strings.Join(got, "\n")
	for _, want := range []string{"cycles of a pass of 64 instructions: [A chip], and h100 as simulated",
		"ffma_chain 1 33.0 30.0 -9.1 %", "ffma_chain 4 not measured 30.0", "mufu 4 100.0 no listing",
		"1 rows: median error 9.1 %, worst 9.1 %"} {
		if !strings.Contains(all, want) {
			t.Errorf("no line %q in:\n%s", want, b.String())
		}
	}
	if n := strings.Count(all, "not measured"); n != len(Rows())*len(warps)-2 {
		t.Errorf("%d lines are not measured, want all but 2", n)
	}
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestMistakesInMeasurementsAreToldWithTheirPlace(t *testing.T) {
	const head = "device,sm,row,warps,passes,cycles\n"
	for text, want := range map[string]string{
		"":                                   "m.csv:1:1: found the end of the file",
		"device,row\n":                       "m.csv:1:1: found 2 fields",
		"device,sm,row,warps,pass,cycles\n":  `m.csv:1:21: found "pass", expected passes`,
		head + "H100,90,fmas,1,256,700\n":    `m.csv:2:9: found "fmas", expected the name of a row`,
		head + "H100,90,mufu,1,256,7e2\n":    `m.csv:2:20: found "7e2", expected a positive number`,
		head + "H100,90,mufu,0,256,700\n":    `m.csv:2:14: found "0", expected a positive number`,
		head + "H100,90,mufu,1,256,700,80\n": "m.csv:2:1: found 7 fields",
	} {
		_, err := read("m.csv", strings.NewReader(text))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}

// The kernels are PTX that this project reads too; on it they run to their end.
func TestEveryKernelOfTheSuiteRuns(t *testing.T) {
	rows := Rows()
	for i := range rows {
		t.Run(rows[i].Name, func(t *testing.T) { runKernel(t, &rows[i]) })
	}
}

// runKernel runs a row on two warps of an H100 of one SM.
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

func TestTheScriptsNameEveryPassAndNumberOfWarps(t *testing.T) {
	text, err := os.ReadFile("run.py")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{fmt.Sprintf("PASSES = %d ", Passes), "WARPS = (1, 4, 16)",
		strings.Join(columns, ",")} {
		if !strings.Contains(string(text), want) {
			t.Errorf("run.py has no %q", want)
		}
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3 to read run.py")
	}
	const script = "import ast; ast.parse(open('run.py').read())"
	if out, err := exec.Command(python, "-c", script).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func TestTheScriptSaysWhatItNeeds(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh")
	}
	c := exec.Command(sh, "measure.sh", t.TempDir(), "90")
	c.Env = []string{"PATH=" + t.TempDir()}
	out, err := c.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "not found: ptxas nvdisasm python3") {
		t.Errorf("%v: %s", err, out)
	}
}
