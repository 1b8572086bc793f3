package published

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"math"
	"strconv"
	"strings"
	"testing"

	"kumiko/kernel/cubin/tools"
)

//go:embed testdata/simulated.csv
var simulated []byte

// few are the rows of the short test: one of each class of instructions and of each source.
var few = map[string]bool{"stream copy": true, "clpeak single float16": true, "clpeak double double": true,
	"clpeak integer int16": true, "mixbench single 80": true, "mixbench integer 24": true}

// The rows are those of lab/docs/silicon.md. Their errors are the documented ones, and move with the machine.
func TestPublishedRatesAreSimulatedWithTheDocumentedErrors(t *testing.T) {
	rows, err := Rows()
	if err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(bytes.NewReader(simulated)).ReadAll()
	if err != nil || len(lines) != len(rows)+1 {
		t.Fatalf("%d lines of simulated values, want one for each of %d rows (%v)", len(lines), len(rows), err)
	}
	sum, worst, n := 0.0, 0.0, 0.0
	for i, r := range rows {
		if lines[i+1][0] != r.Suite || lines[i+1][1] != r.Name {
			t.Fatalf("line %d of simulated values is of %q, want %s %s", i+2, lines[i+1], r.Suite, r.Name)
		}
		if testing.Short() && !few[r.Suite+" "+r.Name] {
			continue
		}
		want, err := strconv.ParseFloat(lines[i+1][2], 64)
		if err != nil {
			t.Fatal(err)
		}
		o, err := Simulate(r, Control, Packed)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s,%s,%.2f %+.1f %%", r.Suite, r.Name, o.Simulated, 100*o.Error())
		if math.Abs(o.Simulated/want-1) > 0.01 {
			t.Errorf("%s %s: %.2f %s, documented are %.2f (published %.2f)", r.Suite, r.Name, o.Simulated, r.Unit, want,
				r.Measured)
		}
		n++
		sum += math.Abs(o.Error())
		worst = max(worst, math.Abs(o.Error()))
	}
	t.Logf("%.0f rows, mean error %.1f %%, worst %.1f %%", n, 100*sum/n, 100*worst)
}

func TestThePackedCodeIsWhatTheAssemblerMakes(t *testing.T) {
	a, err := tools.Find()
	if err != nil {
		t.Skip(err)
	}
	for _, r := range []Row{{Suite: "stream", Name: "triad"}, {Suite: "clpeak", Name: "read float8"},
		{Suite: "clpeak", Name: "integer int4"}, {Suite: "mixbench", Name: "double 3"}} {
		list, err := kernels(&r)
		if err != nil {
			t.Fatal(err)
		}
		for i := range list {
			name := fileName(&r, i)
			want, err := assembled(a, name, list[i].ptx)
			if err != nil {
				t.Fatal(err)
			}
			m, err := Packed(name, list[i].ptx)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(m.Source.Text); got != want {
				t.Errorf("%s is other code than %s makes", name, a.Version)
			}
		}
	}
}

func TestCodeOfOtherPTXIsRefused(t *testing.T) {
	k := stream("copy")
	_, err := Packed("stream-copy.sass", k.ptx+"\n")
	if err == nil || !strings.Contains(err.Error(), "code.zip: stream-copy.sass was made of other PTX") {
		t.Errorf("error %v", err)
	}
}

func TestArithmeticOfOneChainDependsOnItself(t *testing.T) {
	k := arithmetic("f32", 1)
	text := "fma.rn.f32 %x0, %y0, %x0, %y0;\nfma.rn.f32 %y0, %x0, %y0, %x0;\n"
	if n := strings.Count(k.ptx, text); n != multiplyAdds/2 {
		t.Errorf("%d pairs of multiply-adds, want %d", n, multiplyAdds/2)
	}
}
