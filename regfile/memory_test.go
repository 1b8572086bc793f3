package regfile

import (
	"testing"

	"kumiko/memsys/req"
)

func TestTheRegionsOfTheSMsFollowOneAnother(t *testing.T) {
	const bytes = 3 * req.LineBytes
	for sm := range 4 {
		got, err := (&Env{SM: sm}).Region(bytes)
		if want := (Region{Base: 1<<43 + uint64(sm)*bytes, Bytes: bytes}); got != want || err != nil {
			t.Errorf("SM %d: region %+v, error %v; want %+v", sm, got, err, want)
		}
	}
}

func TestARegionIsWholeLinesUpToFourGigabytes(t *testing.T) {
	for bytes, fits := range map[uint64]bool{
		0: false, req.LineBytes - 1: false, req.LineBytes: true, req.LineBytes + 1: false, 2 * req.LineBytes: true,
		1 << 32: true, 1<<32 + req.LineBytes: false,
	} {
		if _, err := new(Env).Region(bytes); fits != (err == nil) {
			t.Errorf("%d bytes: error %v", bytes, err)
		}
	}
}

func TestARegionHasItsFirstByteAndItsLast(t *testing.T) {
	r := Region{Base: 1 << 43, Bytes: 256}
	for addr, want := range map[uint64]bool{
		0: false, r.Base - 1: false, r.Base: true, r.Base + 255: true, r.Base + 256: false,
	} {
		if r.Has(addr) != want {
			t.Errorf("address %#x: %v", addr, !want)
		}
	}
}
