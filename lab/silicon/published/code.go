package published

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"kumiko/kernel/cubin"
	"kumiko/kernel/cubin/tools"
	"kumiko/kernel/ir"
	"kumiko/kernel/ptx"
)

// packed has the machine code of every kernel for sm_52, in the compact form of kernel/cubin/listing, behind the hash
// of its PTX.
//
//go:embed code.zip
var packed []byte

// fileName names the code of a row's kernel.
func fileName(r *Row, number int) string {
	name := r.Suite + "-" + strings.ReplaceAll(r.Name, " ", "-")
	if number > 0 {
		name += fmt.Sprint("-", number+1)
	}
	return name + ".sass"
}

// hashed is the first line of a kernel's code.
func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "// of PTX " + hex.EncodeToString(sum[:]) + "\n"
}

// Packed returns the packed code of a kernel.
func Packed(name, text string) (*ir.Module, error) {
	z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		return nil, err
	}
	f, err := z.Open(name)
	if err != nil {
		return nil, fmt.Errorf("code.zip: %w", err)
	}
	defer f.Close()
	code, err := io.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("code.zip: %w", err)
	}
	if !bytes.HasPrefix(code, []byte(hashed(text))) {
		return nil, fmt.Errorf("code.zip: %s was made of other PTX than the kernel has, expected the same: "+
			"go run ./lab/silicon/published/pack makes it again", name)
	}
	return cubin.ReadModule(name, code)
}

// Pack makes code.zip.
func Pack(t *tools.Tools) ([]byte, error) {
	rows, err := Rows()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, r := range rows {
		list, err := kernels(&r)
		if err != nil {
			return nil, err
		}
		for i := range list {
			name := fileName(&r, i)
			code, err := assembled(t, name, list[i].ptx)
			if err != nil {
				return nil, err
			}
			w, err := z.Create(name)
			if err != nil {
				return nil, err
			}
			if _, err := io.WriteString(w, code); err != nil {
				return nil, err
			}
		}
	}
	err = z.Close()
	return out.Bytes(), err
}

// assembled returns what an assembler makes of a kernel.
func assembled(t *tools.Tools, name, text string) (string, error) {
	m, err := ptx.Parse(name, []byte(text))
	if err != nil {
		return "", err
	}
	f, err := cubin.Assemble(t, cubin.Request{Arch: 52, Module: m})
	if err != nil {
		return "", err
	}
	return hashed(text) + f.Listing(), nil
}
