package emu

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"kumiko/kernel/mem"
)

// PTX ISA sections 9.7.13.5 and 9.7.13.6: of global memory alone, and of f32 alone.
func TestFloatAtomicsOfGlobalMemoryFlushSubnormals(t *testing.T) {
	const tiny, negative, least = 0x00000001, 0x80000001, 0x00800000
	for _, c := range []struct {
		what           string
		old, add       uint32
		global, shared uint32 // the cell's end in either space
	}{
		{"two subnormals", tiny, tiny, 0, 2},
		{"a subnormal beside a zero", tiny, 0, 0, tiny},
		{"negative subnormals", negative, negative, 0x80000000, 0x80000002},
		{"a subnormal beside a normal number", 0x3f800000, tiny, 0x3f800000, 0x3f800000},
		{"a result between the normal numbers", least + 1, least | 1<<31, 0, 1},
		{"a negative result", least, (least + 1) | 1<<31, 0x80000000, 0x80000001},
	} {
		for _, x := range []struct {
			inst string
			want uint32
		}{
			{"red.global.add.f32 [%rd1], %f1;", c.global}, {"atom.global.add.f32 %f2, [%rd1], %f1;", c.global},
			{"red.add.f32 [%rd1], %f1;", c.global}, {"atom.add.f32 %f2, [%rd1], %f1;", c.global},
			{"red.global.add.v2.f32 [%rd1], {%f1, %f1};", c.global},
			{"atom.global.v4.f32.add {%f2, %f3, %f4, %f5}, [%rd1], {%f1, %f1, %f1, %f1};", c.global},
			{"red.shared.add.f32 [s], %f1;", c.shared}, {"atom.shared.add.f32 %f2, [s], %f1;", c.shared},
			{"cvta.shared.u64 %rd2, %rd3; red.add.f32 [%rd2], %f1;", c.shared},
		} {
			if got := atomicEnd(t, x.inst, c.old, c.add); got != x.want {
				t.Errorf("%s: %s ends as %#x, want %#x", c.what, x.inst, got, x.want)
			}
		}
	}
	for inst, want := range map[string]uint32{
		"red.global.add.noftz.f16x2 [%rd1], %r5;":  0x80020002,
		"red.global.add.noftz.bf16x2 [%rd1], %r5;": 0x80020002,
	} {
		if got := atomicEnd(t, inst, 0x80010001, 0x80010001); got != want {
			t.Errorf("%s ends as %#x, want %#x", inst, got, want)
		}
	}
}

// atomicEnd returns the end of a cell of global memory, or of shared memory if the instruction is of shared memory.
func atomicEnd(t *testing.T, inst string, old, add uint32) uint32 {
	t.Helper()
	var m mem.Memory
	out, cell := m.Alloc("out", 4), m.Alloc("cell", 16)
	b, _ := m.Bytes(cell, 16)
	binary.LittleEndian.PutUint32(b, old)
	from := "ld.global.u32 %r5, [%rd1];"
	if strings.Contains(inst, "shared") {
		from = "ld.shared.u32 %r5, [s];"
	}
	if err := runText(t, ".shared .align 4 .b8 s[4]; mov.u64 %rd3, s; ld.global.u32 %r5, [%rd1]; st.shared.u32 "+
		"[s], %r5;"+
		"mov.b32 %r5, "+hex(add)+"; mov.b32 %f1, %r5;"+inst+from+storeR5, 1, 1, &m, out, cell); err != nil {
		t.Fatal(err)
	}
	return words(t, &m, out, 1)[0]
}

func hex(v uint32) string { return fmt.Sprintf("%#x", v) }
