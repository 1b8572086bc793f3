package cudart

import (
	"os"
	"regexp"
	"strconv"
	"testing"
)

func TestTheOperationsAreThoseOfTheRuntime(t *testing.T) {
	text, err := os.ReadFile("runtime/protocol.h")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`(?m)^  KUMIKO_(\w+)(?: = 1)?,`).FindAllSubmatch(text, -1)
	want := []struct {
		name string
		op   int
	}{{"HELLO", opHello}, {"MODULE", opModule}, {"KERNEL", opKernel}, {"SYMBOL", opSymbol}, {"ALLOC", opAlloc},
		{"FREE", opFree}, {"WRITE", opWrite}, {"READ", opRead}, {"LAUNCH", opLaunch}, {"BIND", opBind},
		{"OBJECT", opObject}, {"TIME", opTime}, {"OCCUPANCY", opOccupancy}, {"REFUSED", opRefused}}
	if len(names) != len(want) {
		t.Fatalf("%d operations in protocol.h, want %d", len(names), len(want))
	}
	for i, w := range want {
		if string(names[i][1]) != w.name || w.op != i+1 {
			t.Errorf("operation %d is %s in protocol.h, want %s as %d", i+1, names[i][1], w.name, w.op)
		}
	}
	version := regexp.MustCompile(`KUMIKO_VERSION (\d+)`).FindSubmatch(text)
	if version == nil || string(version[1]) != strconv.Itoa(protocolVersion) {
		t.Errorf("the version in protocol.h is %s, want %d", version, protocolVersion)
	}
}

func TestAMessageThatIsTooShortIsNotReadBeyondItsEnd(t *testing.T) {
	q := &request{body: []byte{1, 0, 0, 0, 200, 0, 0, 0, 'x'}}
	if n := q.u32(); n != 1 || q.bad {
		t.Errorf("the first number is %d, want 1", n)
	}
	if s := q.string(); !q.bad {
		t.Errorf("a string of 200 bytes is %q where one byte is left", s)
	}
}
