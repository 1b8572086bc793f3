package cudart

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/pierrec/lz4/v4"
)

const somePTX = "\n\n\n\n\n\n\n\n\n.version 7.8\n.target sm_70\n.address_size 64\n"

// fat makes a fat binary of images.
func fat(images ...[]byte) []byte {
	body := bytes.Join(images, nil)
	out := binary.LittleEndian.AppendUint32(nil, fatMagic)
	out = binary.LittleEndian.AppendUint16(out, 1)
	out = binary.LittleEndian.AppendUint16(out, fatHeader)
	return append(binary.LittleEndian.AppendUint64(out, uint64(len(body))), body...)
}

// part makes an image, with padding to a multiple of 8 bytes.
func part(kind uint16, arch uint32, flags uint64, whole int, data []byte) []byte {
	out := make([]byte, imageHeader+8)
	le := binary.LittleEndian
	padded := append(bytes.Clone(data), make([]byte, -len(data)&7)...)
	le.PutUint16(out, kind)
	le.PutUint32(out[4:], uint32(len(out)))
	le.PutUint64(out[8:], uint64(len(padded)))
	le.PutUint32(out[16:], uint32(len(data)))
	le.PutUint32(out[28:], arch)
	le.PutUint64(out[40:], flags)
	le.PutUint64(out[56:], uint64(whole))
	return append(out, padded...)
}

func packed(t testing.TB, text string) []byte {
	t.Helper()
	out := make([]byte, lz4.CompressBlockBound(len(text)))
	n, err := lz4.CompressBlock([]byte(text), out, nil)
	if err != nil || n == 0 {
		t.Fatalf("%d bytes, %v", n, err)
	}
	return out[:n]
}

func TestTheLatestPTXOfAFatBinaryIsTaken(t *testing.T) {
	code := fat(part(2, 80, 0, 0, []byte("machine code")), part(1, 60, 0, 0, []byte(".version 6.0\n\x00")),
		part(1, 70, imageLZ4, len(somePTX), packed(t, somePTX)), part(1, 61, 0, 0, []byte(".version 6.1\n")))
	if !isFat(code) {
		t.Error("it is not seen to be a fat binary")
	}
	if got, err := ptxOf(code); err != nil || string(got) != somePTX {
		t.Errorf("found %q, %v, want %q", got, err, somePTX)
	}
	plain := part(1, 60, 0, 0, []byte(".version 6.0\n\x00"))
	if got, err := ptxOf(fat(plain)); err != nil || string(got) != ".version 6.0\n" {
		t.Errorf("found %q, %v, want PTX without its zero byte", got, err)
	}
}

func TestFatBinariesWithoutReadablePTXAreRefused(t *testing.T) {
	whole := fat(part(1, 70, imageLZ4, len(somePTX), packed(t, somePTX)))
	for _, c := range []struct {
		code []byte
		want string
	}{
		{fat(part(2, 70, 0, 0, []byte("x")), part(2, 80, 0, 0, nil)), "machine code for sm_70, sm_80, expected PTX"},
		{whole[:len(whole)-8], "damaged"},
		{fat([]byte("too short")), "damaged"},
		{fat(part(1, 70, 1<<15, 9, []byte{0x28, 0xb5, 0x2f, 0xfd})), "otherwise than by nvcc 11 (flags 0x8000)"},
		{fat(part(1, 70, imageLZ4, 5, packed(t, somePTX))), "cannot be uncompressed"},
		{fat(part(1, 70, imageLZ4, 1<<40, packed(t, somePTX))), "expected at most"},
	} {
		if _, err := ptxOf(c.code); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("found %v, want %q", err, c.want)
		}
	}
}

func FuzzFatBinary(f *testing.F) {
	f.Add(fat(part(2, 80, 0, 0, []byte("machine code")), part(1, 70, imageLZ4, len(somePTX), packed(f, somePTX))))
	f.Fuzz(func(_ *testing.T, code []byte) {
		if isFat(code) {
			_, _ = ptxOf(code) // an error or PTX
		}
	})
}
