package nvcc

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// Relocatable device code: the device part of an object may use functions and variables of other objects. nvcc's linker
// joins the device parts. Here the runtime library gives all of them to Kumiko instead, which links the PTX. clang has
// each object register itself by a function of its own, named by a number, that nvcc's linker would make. The object
// calls __kumiko_register_relocatable in its place (runtime/registry.c).

// registration is the name of an object's own function.
var registration = regexp.MustCompile(`__cudaRegisterLinkedBinary__nv_[0-9a-f]+`)

// relocatableFlags returns clang's flags for both parts of a relocatable file. The number tells static variables of
// files with the same names apart.
func (c *compiler) relocatableFlags(in string) []string {
	if !c.relocatable {
		return nil
	}
	path, err := filepath.Abs(in)
	if err != nil {
		path = in
	}
	// clang's driver passes the number on to the device's part alone.
	number := fmt.Sprintf("-cuid=%x", sha256.Sum256([]byte(path)))[:len("-cuid=")+16]
	return []string{"-fgpu-rdc", number, "-Xclang", number}
}

// relocatableHost compiles the host part of a relocatable file: to assembly, and with its registration renamed to an
// object.
func (c *compiler) relocatableHost(ctx context.Context, args []string, out string) error {
	text := out + ".s"
	defer os.Remove(text)
	if err := c.run(ctx, append(args, "-S", "-o", text)); err != nil {
		return err
	}
	code, err := os.ReadFile(text)
	if err != nil {
		return err
	}
	code = registration.ReplaceAll(code, []byte("__kumiko_register_relocatable"))
	if err := os.WriteFile(text, code, 0o666); err != nil {
		return err
	}
	return c.run(ctx, []string{"-fPIC", "-c", "-o", out, text})
}

// external is a static variable that the host uses. Its name gets a suffix, so that it is different in each file.
var external = regexp.MustCompile(`[\w$]+__static__\w+`)

// settle mends the PTX of a relocatable file. clang 19 gives a static variable its suffix at the first use by the host.
// Kernels before that use it without the suffix, so settle adds it there. It also removes clang's list of the variables
// that the host uses, which nothing reads.
func settle(code []byte) []byte {
	code = regexp.MustCompile(`(?m)^\.global [^\n]*\b__clang_gpu_used_external\b[^\n]*\n`).ReplaceAll(code, nil)
	seen := map[string]bool{}
	for _, full := range external.FindAll(code, -1) {
		if seen[string(full)] {
			continue
		}
		seen[string(full)] = true
		base := regexp.QuoteMeta(string(full[:bytes.LastIndex(full, []byte("__static__"))]))
		code = regexp.MustCompile(`(?m)^\.extern [^\n]*[ \t]`+base+`(\[[^\n]*\])?;\n`).ReplaceAll(code, nil)
		code = regexp.MustCompile(`([^\w$])`+base+`([^\w$])`).ReplaceAll(code, []byte("${1}"+string(full)+"${2}"))
	}
	return code
}

// deviceLink writes an object without anything: the runtime library links.
func (c *compiler) deviceLink(ctx context.Context) error {
	out := c.Output
	if out == "" {
		out = "a_dlink.o"
	}
	return c.run(ctx, []string{"-x", "c", "-c", "-o", out, os.DevNull})
}
