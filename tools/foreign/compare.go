package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
)

// A difference is the first element at which the emulator and the host disagree.
type difference struct {
	buffer string
	index  int
	host   string
	emu    string
	how    string // name of the kernel's way on the emulator
}

func (d *difference) String() string {
	return fmt.Sprintf("%s[%d]: host %s, emulator %s (%s)", d.buffer, d.index, d.host, d.emu, d.how)
}

// element returns the size, in bytes, of a buffer's elements, and whether they are floating-point numbers.
func element(buffer string) (size int, float bool) {
	switch buffer {
	case "out_d", "in_f64":
		return 8, true
	case "out_f", "io_f32", "in_f32":
		return 4, true
	case "out_i", "sum64", "io_u64", "in_i64", "in_u64":
		return 8, false
	}
	return 4, false
}

// compare returns the first differing element. For a NaN on the host the emulator must have a NaN as made by PTX or
// as written by the compiler in a constant.
func compare(j *job, want, got result) *difference {
	for i, r := range j.regions() {
		if bytes.Equal(want[i], got[i]) {
			continue
		}
		size, float := element(r.Name)
		for at := 0; at+size <= len(want[i]); at += size {
			w, g := number(want[i][at:at+size]), number(got[i][at:at+size])
			if w == g || float && size == 4 && sameNaN32(w, g) || float && size == 8 && sameNaN64(w, g) {
				continue
			}
			return &difference{buffer: r.Name, index: at / size, host: show(w, size, float), emu: show(g, size, float)}
		}
	}
	return nil
}

func number(b []byte) uint64 {
	var w [8]byte
	copy(w[:], b)
	return binary.LittleEndian.Uint64(w[:])
}

func sameNaN32(host, emu uint64) bool {
	m := emu &^ (1 << 31) // neg and copysign change the sign
	return math.IsNaN(float64(math.Float32frombits(uint32(host)))) && (m == 0x7fffffff || m == 0x7fc00000)
}

func sameNaN64(host, emu uint64) bool {
	return math.IsNaN(math.Float64frombits(host)) && emu&^(1<<63) == 0x7ff8000000000000
}

func show(v uint64, size int, float bool) string {
	switch {
	case float && size == 4:
		return fmt.Sprintf("%#08x (%v)", v, math.Float32frombits(uint32(v)))
	case float:
		return fmt.Sprintf("%#016x (%v)", v, math.Float64frombits(v))
	}
	return fmt.Sprintf("%#0*x", 2*size, v)
}
