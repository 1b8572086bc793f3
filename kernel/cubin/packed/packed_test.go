package packed

import (
	"strings"
	"testing"
)

func TestThePackedCodeTakesAtMostAMegabyte(t *testing.T) {
	size := 0
	for _, p := range Contents().Programs {
		data, err := files.ReadFile("code/" + p.Name + ".gz")
		if err != nil {
			t.Fatal(err)
		}
		size += len(data)
	}
	if size < 100_000 || size > 1_000_000 {
		t.Errorf("%d bytes", size)
	}
	entries, err := files.ReadDir("code")
	if err != nil || len(entries) != len(Contents().Programs) {
		t.Errorf("%d files of %d programs: %v", len(entries), len(Contents().Programs), err)
	}
}

func TestAnIndexIsReadAsItWasWritten(t *testing.T) {
	text, err := files.ReadFile("index.txt")
	if err != nil {
		t.Fatal(err)
	}
	if got := Contents().String(); got != string(text) {
		t.Errorf("got\n%s", got)
	}
}

func TestAFaultInAnIndexIsNamedWithItsLine(t *testing.T) {
	hash := strings.Repeat("0", 64)
	for _, c := range []struct{ text, want string }{
		{"# a\nx", `index.txt:2: "x": expected a hash, a name and architectures`},
		{"00 a sm_52", `index.txt:1: "00": expected a SHA-256`},
		{hash + " a sm_x", `"sm_x": expected an architecture`},
		{hash + " a sm_52/", `"sm_52/": expected an architecture`},
		{hash + " a 52", `"52": expected an architecture`},
	} {
		if _, err := ReadIndex(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}

func TestCodeIsFoundByItsPTXItsArchitectureAndItsBoundAlone(t *testing.T) {
	p := Contents().Programs[0]
	k := Key{PTX: p.PTX, Arch: p.Code[0].Arch}
	other, bounded, arch := k, k, k
	other.PTX[0]++
	bounded.Registers = 17
	arch.Arch = 35
	for _, c := range []struct {
		Key
		found bool
	}{{k, true}, {other, false}, {bounded, false}, {arch, false}} {
		text, err := Find(c.Key)
		if err != nil || Has(c.Key) != c.found || (text != "") != c.found {
			t.Errorf("%+v: %d bytes, %v", c.Key, len(text), err)
		}
	}
}

func BenchmarkFind(b *testing.B) {
	for _, p := range Contents().Programs {
		if p.Name != "myocyte" && p.Name != "sgemm" {
			continue
		}
		b.Run(p.Name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Find(Key{PTX: p.PTX, Arch: 90}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
