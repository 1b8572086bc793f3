package infile

import (
	"bytes"
	"fmt"
)

// magic are the first bytes of formats easily mistaken for text.
var magic = []struct{ head, what string }{
	{"\xef\xbb\xbf", "a byte-order mark (UTF-8)"},
	{"\xff\xfe", "a byte-order mark (UTF-16)"},
	{"\xfe\xff", "a byte-order mark (UTF-16)"},
	{"\x7fELF", "an ELF file, as cubins are"},
	{"\x50\xed\x55\xba", "a fat binary"},
	{"BC\xc0\xde", "LLVM bitcode"},
	{"\x1f\x8b", "a file compressed by gzip"},
	{"\x28\xb5\x2f\xfd", "a file compressed by zstd"},
	{"\xfd7zXZ\x00", "a file compressed by xz"},
	{"PK\x03\x04", "a zip archive"},
}

// Odd checks data expected to be text. For other data it returns a likely content and the offset of the revealing
// byte; "" if the data may be text.
func Odd(data []byte) (what string, offset int) {
	for _, m := range magic {
		if bytes.HasPrefix(data, []byte(m.head)) {
			return m.what, 0
		}
	}
	i := bytes.IndexFunc(data, control)
	if i < 0 {
		return "", 0
	}
	if data[i] == 0 && i < 2 && len(data) >= 4 && data[i+2] == 0 && data[1-i] != 0 && data[3-i] != 0 {
		return "UTF-16", 0
	}
	return fmt.Sprintf("binary data (the byte %#02x)", data[i]), i
}

// control reports whether r does not occur in text.
func control(r rune) bool { return r < 0x20 && (r < '\t' || r > '\r') || r == 0x7f }
