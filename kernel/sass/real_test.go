package sass

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"testing"
)

// realTraces is the place of traces of real GPUs, if any, beside the project.
const realTraces = "../../../shared/data/traces"

// realLists are the kernel lists there.
func realLists(t *testing.T) []*List {
	t.Helper()
	dirs, err := os.ReadDir(realTraces)
	if err != nil {
		t.Skipf("no traces of real GPUs in %s", realTraces)
	}
	var out []*List
	for _, d := range dirs {
		if d.IsDir() {
			l, err := OpenList(realTraces + "/" + d.Name())
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, l)
		}
	}
	return out
}

// counted is the sum of a file's insts lines.
func counted(t *testing.T, file string) (n uint64) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if v, ok := strings.CutPrefix(s.Text(), "insts = "); ok {
			k, _ := strconv.ParseUint(v, 10, 64)
			n += k
		}
	}
	return n
}

func TestRealTracesAreReadWholeAndTheirRegistersStayAliveAsLongAsNeeded(t *testing.T) {
	for _, list := range realLists(t) {
		for _, c := range list.Commands {
			if c.Trace == "" {
				continue
			}
			l, err := Load(c.Trace, Options{Strict: true})
			if err != nil {
				t.Error(err)
				continue
			}
			want := counted(t, c.Trace)
			s := l.Source(4)
			var insts uint64
			blocks, deaths := 0, 0
			for x := s.Next(); x != nil; x = s.Next() {
				blocks++
				for i := range x.Warps {
					insts += x.Warps[i].Insts
					deaths += lostRegisters(t, l.Kernel, &x.Warps[i])
				}
			}
			if s.Err() != nil || insts != want || l.Report.WarpInstructions != want || blocks != l.CTAs() ||
				deaths == 0 {
				t.Errorf("%s: %d instructions, want %d; %d of %d blocks; %d deaths; %v", c.Trace, insts, want, blocks,
					l.CTAs(), deaths, s.Err())
			}
		}
	}
}
