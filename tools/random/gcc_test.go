package main

import (
	"strings"
	"testing"
)

func TestAKernelLeavesTheMemoryOfItsCForm(t *testing.T) {
	gcc := compiler()
	if gcc == "" {
		t.Skip("no gcc")
	}
	p := generate(12) // has a recursive function, a table of targets and loops
	c, err := newCaptures(p, gcc)
	if err != nil {
		t.Fatal(err)
	}
	wrong := append([]byte(nil), c.want...)
	wrong[4*(p.vars+2)] ^= 1
	err = p.differs(wrong, c.want, "the C form")
	if err == nil || !strings.Contains(err.Error(), "thread 1, variable 2: found") {
		t.Errorf("found %v, want thread 1, variable 2", err)
	}
	if p.differs(wrong[4:], c.want, "the C form") == nil {
		t.Error("a short output passed")
	}
}

func TestAnInstructionWithoutACFormIsNamed(t *testing.T) {
	p := generate(12)
	p.text = strings.Replace(p.text, "\texit;", "\tbrev.b32 %v0, %v1;", 1)
	_, err := p.cForm()
	if err == nil || !strings.Contains(err.Error(), "instruction brev.b32") || !strings.Contains(err.Error(), "line") {
		t.Errorf("found %v, want the instruction and its line", err)
	}
}

// FineReg by the printed rule loses registers of lanes waiting elsewhere.
func TestAFindingIsReducedToTheInstructionsItNeeds(t *testing.T) {
	d := &design{gpu: "gtx980", name: "finereg", set: []string{"regfile.finereg.pcrf=64", "regfile.finereg.live=paper"}}
	if err := d.fit(); err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(60) {
		p := generate(seed)
		found, _ := p.runOn([]*design{d}, "")
		if len(found) == 0 {
			continue
		}
		small := found[0].reduced("")
		if again, _ := small.runOn([]*design{d}, ""); len(again) == 0 || kind(again[0].err) != "operand check" {
			t.Errorf("the reduced kernel has %v, want a wrong operand:\n%s", again, small.text)
		}
		if got, was := len(small.text), len(p.text); got > was/2 {
			t.Errorf("seed %d: reduced from %d to %d bytes, want half at most", seed, was, got)
		}
		return
	}
	t.Error("60 kernels found no wrong operand")
}
