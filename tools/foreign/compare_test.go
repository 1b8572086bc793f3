package main

import (
	"encoding/binary"
	"testing"

	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

// differ compares two words of a buffer.
func differ(t *testing.T, buffer string, size int, want, got uint64) *difference {
	t.Helper()
	j := &job{mem: &mem.Memory{}, launch: &host.Launch{Module: &ir.Module{}}}
	j.mem.Alloc(buffer, 2*size)
	word := func(v uint64) result {
		b := make([]byte, 2*size)
		copy(b[size:], binary.LittleEndian.AppendUint64(nil, v)[:size])
		return result{b}
	}
	return compare(j, word(want), word(got))
}

func TestANaNMayBeAnyThatPTXMakes(t *testing.T) {
	for _, c := range []struct {
		buffer    string
		size      int
		want, got uint64
		same      bool
	}{
		{"out_f", 4, 0xffc00000, 0x7fffffff, true},
		{"out_f", 4, 0x7fc00000, 0xffffffff, true},
		{"out_f", 4, 0x7fc00000, 0x7fc00000, true},
		{"out_f", 4, 0x7fc00000, 0x7f800001, false},
		{"out_f", 4, 0x7fc00000, 0x7f800000, false},
		{"out_f", 4, 0x7f800000, 0x7fffffff, false},
		{"out_f", 4, 0x80000000, 0x00000000, false},
		{"out_d", 8, 0xfff8000000000000, 0x7ff8000000000000, true},
		{"out_d", 8, 0xfff8000000000000, 0x7ff0000000000001, false},
		{"out_i", 8, 0x7fc00000, 0x7fffffff, false},
		{"sum32", 4, 0x7fc00000, 0x7fffffff, false},
	} {
		d := differ(t, c.buffer, c.size, c.want, c.got)
		if (d == nil) != c.same {
			t.Errorf("%s: host %#x, emulator %#x: found %v", c.buffer, c.want, c.got, d)
		}
		if d != nil && (d.index != 1 || d.buffer != c.buffer) {
			t.Errorf("found the difference at %s[%d], expected %s[1]", d.buffer, d.index, c.buffer)
		}
	}
}

func TestArgumentsLieAtTheirOwnAlignment(t *testing.T) {
	b := parameters([]host.Arg{{Bytes: []byte{1}, Align: 1}, host.U32(2), {Bytes: []byte{3}, Align: 1}, host.U64(4)})
	if len(b) != 24 || b[0] != 1 || b[4] != 2 || b[8] != 3 || b[16] != 4 {
		t.Errorf("found % x", b)
	}
}
