package xz

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// text returns the contents of the files in testdata, compressed by xz 5 with the options hinted at by their names.
func text() []byte {
	var b bytes.Buffer
	for i := range 3000 {
		fmt.Fprintf(&b, "%04x ffffffff 1 R%d FFMA 3 R%d R%d R%d 0 0 \n", i*16, i%254, i*7%254, i*i%254, i%254)
	}
	return b.Bytes()
}

func load(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestFilesOfXZAreDecompressed(t *testing.T) {
	for name, want := range map[string][]byte{
		"fast.xz": text(), "extreme-sha256.xz": text(), "blocks-crc32.xz": text(), "literal-positions.xz": text(),
		"two-streams.xz": append(text(), text()...),
	} {
		data := load(t, name)
		for _, r := range []io.Reader{bytes.NewReader(data), iotest.OneByteReader(bytes.NewReader(data))} {
			got, err := io.ReadAll(NewReader(r))
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %d bytes of %d, %v", name, len(got), len(want), err)
			}
		}
	}
}

func TestAFileThatEndsEarlyIsAnUnexpectedEnd(t *testing.T) {
	data := load(t, "blocks-crc32.xz")
	const second = 3412 // the header of the second block
	for n := range len(data) {
		if n%601 != 0 && n > 16 && n < len(data)-16 && (n < second || n > second+16) {
			continue
		}
		if _, err := io.ReadAll(NewReader(bytes.NewReader(data[:n]))); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d of %d bytes: %v", n, len(data), err)
		}
	}
}

// A bit of the index that has no meaning may flip.
func TestABitThatFlipsIsNoticedOrChangesNothing(t *testing.T) {
	data := load(t, "extreme-sha256.xz")
	for i := range data {
		if i%101 != 0 && i > 32 && i < len(data)-32 {
			continue
		}
		bad := bytes.Clone(data)
		bad[i] ^= 0x10
		if got, err := io.ReadAll(NewReader(bytes.NewReader(bad))); err == nil && !bytes.Equal(got, text()) {
			t.Errorf("byte %d", i)
		}
	}
}

func TestOtherFiltersAreRefused(t *testing.T) {
	_, err := io.ReadAll(NewReader(bytes.NewReader(load(t, "bcj.xz"))))
	if err == nil || !strings.Contains(err.Error(), "found another filter, expected LZMA2 alone") {
		t.Errorf("%v", err)
	}
}

// short is a line, twelve times, packed by xz --check=crc32: a start for fast mutations.
const short = "\xfd\x37\x7a\x58\x5a\x00\x00\x01\x69\x22\xde\x36\x02\x00\x21\x01\x16\x00\x00\x00\x74\x2f\xe5\xa3" +
	"\xe0\x01\x5b\x00\x21\x5d\x00\x3b\x98\x4a\xab\xc7\x6d\x3c\x0b\x7a\xe0\x8c\x1c\x71\x7f\xbe\xc4\x19" +
	"\x64\x76\x85\x0d\xc6\x0c\x3d\xef\xb1\x0c\x96\xf3\xee\xcf\xfc\x00\x00\x00\x00\x00\x0a\xc8\x8e\x06" +
	"\x00\x01\x39\xdc\x02\x00\x00\x00\x6b\xd8\x2c\x06\x3e\x30\x0d\x8b\x02\x00\x00\x00\x00\x01\x59\x5a"

func TestTheShortSeedIsRead(t *testing.T) {
	out, err := io.ReadAll(NewReader(strings.NewReader(short)))
	if want := strings.Repeat("warp 0: FFMA R1, R2, R3, R1; ", 12); err != nil || string(out) != want {
		t.Errorf("%q, %v", out, err)
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte(short))
	for _, name := range []string{"fast.xz", "blocks-crc32.xz", "literal-positions.xz"} {
		f.Add(load(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _ = io.Copy(io.Discard, io.LimitReader(NewReader(bytes.NewReader(data)), 1<<24))
	})
}
