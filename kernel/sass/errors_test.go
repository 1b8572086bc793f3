package sass

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestEveryMalformedTraceIsOneErrorWithItsPlace(t *testing.T) {
	h := head("1,1,1", "32,1,1") // its last line is 16
	one := func(line string) string { return h + block("0,0,0", line+"\n") }
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "t.traceg: found the end of the file, expected the header's lines and #traces format"},
		{"no header", "hello\n",
			`t.traceg:1:1: found "hello", expected a line of the header, such as -grid dim = (1,1,1)`},
		{"header without value", "-grid dim\n", "t.traceg:1:10: found the end of the line, expected = and a value"},
		{"grid", "-grid dim = (0,1,1)\n", `t.traceg:1:13: found "(0,1,1)", expected three sizes, such as (8,1,1)`},
		{"huge grid", "-grid dim = (2147483647,2147483647,4)\n",
			`t.traceg:1:13: found "(2147483647,2147483647,4)", expected three sizes, such as (8,1,1)`},
		{"version", strings.Replace(h, "version = 5", "version = 7", 1),
			`t.traceg:12:28: found "7", expected a version from 0 to 6`},
		{"no version, and lines of a later one", strings.Replace(one("0010 ffffffff 0 NOP 0 0"),
			"-accelsim tracer version = 5\n", "", 1), `t.traceg:22:6: found "ffffffff", expected thread block and ` +
			"warp, four numbers (tracer version 0 to 2, or none)"},
		{"threads", head("1,1,1", "1024,2,1"), "t.traceg:15:1: found 2048 threads in a block, expected at most 1024"},
		{"twice", strings.Replace(h, "-shmem = 256\n", "-shmem = 256\n-shmem = 256\n", 1),
			`t.traceg:6:2: found "shmem" a second time`},
		{"no blocks", h, "t.traceg:16:1: found the end of the file behind 0 thread blocks, expected the 1 of the " +
			"grid (1,1,1)"},
		{"truncated in a warp", h + "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 3\n0000 ffffffff 0 NOP 0 0\n",
			"t.traceg:21:1: found the end of the file, expected 2 more instructions of warp 0"},
		{"truncated between warps", head("1,1,1", "64,1,1") +
			"#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n0000 ffffffff 0 NOP 0 0\n",
			"t.traceg:21:1: found the end of the file, expected warp = a number, or #END_TB"},
		{"too few instructions", h + "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 3\n0000 ffffffff 0 NOP 0 0\n" +
			"#END_TB\n",
			`t.traceg:22:1: found "#END_TB", expected 2 more instructions of warp 0`},
		{"too many instructions", h + "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 0\n0000 ffffffff 0 NOP 0 " +
			"0\n#END_TB\n",
			`t.traceg:21:1: found "0000", expected warp = a number, or #END_TB`},
		{"no count", h + "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\n0000 ffffffff 0 NOP 0 0\n",
			`t.traceg:20:1: found "0000", expected insts = a number`},
		{"no block", h + "warp = 0\n", `t.traceg:17:1: found "warp", expected #BEGIN_TB`},
		{"block outside", h + block("1,0,0", "0000 ffffffff 0 NOP 0 0\n"),
			`t.traceg:19:16: found "1,0,0", expected a thread block of the grid (1,1,1)`},
		{"block twice", head("2,1,1", "32,1,1") + block("1,0,0", "0000 ffffffff 0 NOP 0 0\n") + block("1,0,0", ""),
			"t.traceg:29:1: found a thread block a second time"},
		{"warp outside", h + block("0,0,0", "0000 ffffffff 0 NOP 0 0\n", ""),
			`t.traceg:25:8: found "1", expected a warp from 0 to 0`},
		{"pc", one("zz10 ffffffff 0 NOP 0 0"), `t.traceg:23:1: found "zz10", expected 1 more instructions of warp 0`},
		{"pc", one("00g0 ffffffff 0 NOP 0 0"), `t.traceg:23:1: found "00g0", expected the address of an instruction`},
		{"mask", one("0010 1ffffffff 0 NOP 0 0"), `t.traceg:23:6: found "1ffffffff", expected a mask of 32 lanes`},
		{"register", one("0010 ffffffff 1 R256 MOV 0 0"),
			`t.traceg:23:17: found "R256", expected a register, R0 to R255 or UR0 to UR63`},
		{"register", one("0010 ffffffff 0 STG.E 1 X3 0"),
			`t.traceg:23:25: found "X3", expected a register, R0 to R255 or UR0 to UR63`},
		{"results", one("0010 ffffffff 9 R1 MOV 0 0"),
			`t.traceg:23:15: found "9", expected the number of results, 0 to 8`},
		{"opcode", one("0010 ffffffff 0 7 0 0"), `t.traceg:23:17: found "7", expected an opcode`},
		{"width", one("0010 ffffffff 0 NOP 0"),
			"t.traceg:23:22: found the end of the line, expected the width of the memory access, 0 for none"},
		{"mode", one("0010 ffffffff 1 R1 LDG.E 1 R2 4 5 0x10"),
			`t.traceg:23:33: found "5", expected an address mode, 0 to 2`},
		{"addresses", one("0010 00000003 1 R1 LDG.E 1 R2 4 0 0x10"),
			"t.traceg:23:39: found the end of the line, expected the address of each lane in the mask"},
		{"deltas", one("0010 00000007 1 R1 LDG.E 1 R2 4 2 0x10 4"),
			"t.traceg:23:41: found the end of the line, expected a delta for each further lane in the mask"},
		{"lane outside of the block", head("1,1,1", "20,1,1") + block("0,0,0", "0010 ffffffff 0 NOP 0 0\n"),
			`t.traceg:23:6: found "ffffffff", expected lanes of 000fffff, those of the warp in a block of 20 threads`},
		{"lane outside of the last warp", head("1,1,1", "33,1,1") + block("0,0,0", "0010 ffffffff 0 NOP 0 0\n",
			"0010 00000003 0 NOP 0 0\n"),
			`t.traceg:27:6: found "00000003", expected lanes of 00000001, those of the warp in a block of 33 threads`},
		{"stride above the addresses", one("0010 ffffffff 1 R1 LDG.E 1 R2 4 1 0xfffffffffffffff0 4"),
			`t.traceg:23:54: found "4", expected a stride by which no lane's address leaves 64 bits`},
		{"stride below the addresses", one("0010 00000006 1 R1 LDG.E 1 R2 4 1 0x10 -17"),
			`t.traceg:23:40: found "-17", expected a stride by which no lane's address leaves 64 bits`},
		{"huge stride", one("0010 ffffffff 1 R1 LDG.E 1 R2 4 1 0x10 9223372036854775807"),
			`t.traceg:23:40: found "9223372036854775807", expected a stride by which no lane's address leaves 64 bits`},
		{"stride of 65 bits", one("0010 ffffffff 1 R1 LDG.E 1 R2 4 1 0x10 18446744073709551615"),
			`t.traceg:23:40: found "18446744073709551615", expected a stride`},
		{"delta above the addresses", one("0010 00000003 1 R1 LDG.E 1 R2 4 2 0xfffffffffffffff0 16"),
			`t.traceg:23:54: found "16", expected a delta by which the address does not leave 64 bits`},
		{"delta below the addresses", one("0010 00000003 1 R1 LDG.E 1 R2 4 2 0x10 -17"),
			`t.traceg:23:40: found "-17", expected a delta by which the address does not leave 64 bits`},
		{"width of no access", one("0010 ffffffff 1 R1 LDG.E 1 R2 3 1 0x10 4"),
			`t.traceg:23:31: found "3", expected the width of the memory access, a power of two`},
		{"load without addresses", one("0010 ffffffff 1 R1 LDG.E 1 R2 0 0"),
			"t.traceg:23:31: found the width 0 and so no addresses, expected those of LDG.E"},
		{"store without addresses", one("0010 ffffffff 0 STS.64 2 R2 R4 0 0"),
			"t.traceg:23:32: found the width 0 and so no addresses, expected those of STS.64"},
		{"opcode of a terminal", one("0010 ffffffff 0 NO\x1b[31mP 0 0"),
			`t.traceg:23:17: found "NO\x1b[31mP", expected an opcode`},
		{"endless opcode", one("0010 ffffffff 0 " + strings.Repeat("N", 1000) + " 0 0"), `t.traceg:23:17: found "` +
			strings.Repeat("N", 40) + `...", expected an opcode`},
		{"tracer of the far future", strings.Replace(h, "version = 5", "version = 999", 1),
			`t.traceg:12:28: found "999", expected a version from 0 to 6`},
		{"code of the far future", strings.Replace(h, "binary version = 80", "binary version = 999", 1),
			`t.traceg:7:19: found "999", expected a compute capability such as 80`},
		{"code of no GPU", strings.Replace(h, "binary version = 80", "binary version = 0", 1),
			`t.traceg:7:19: found "0", expected a compute capability such as 80`},
		{"name of a terminal", strings.Replace(h, "name = k", "name = k\x1b[2J", 1),
			`t.traceg:1:16: found the name "k\x1b[2J", expected printable characters`},
		{"endless key", "-" + strings.Repeat("k", 1000) + " = 1\n-" + strings.Repeat("k", 1000) + " = 1\n",
			`t.traceg:2:2: found "` + strings.Repeat("k", 80) + `... (1000 bytes)" a second time`},
		{"byte-order mark", "\xef\xbb\xbf" + h,
			"t.traceg:1:1: found a byte-order mark (UTF-8), expected a trace, which is text"},
		{"UTF-16", "\xff\xfe-\x00k\x00\n\x00",
			"t.traceg:1:1: found a byte-order mark (UTF-16), expected a trace, which is text"},
		{"ELF", "\x7fELF\x02\x01\x01\x00\n",
			"t.traceg:1:1: found an ELF file, as cubins are, expected a trace, which is text"},
		{"tail", one("0010 ffffffff 0 NOP 0 0 1 2 3"), `t.traceg:23:29: found "3", expected the end of the line`},
		{"tail", one("0010 ffffffff 0 NOP 0 0 x"), `t.traceg:23:25: found "x", expected an immediate`},
	} {
		_, err := scanText(c.text, Options{})
		if err == nil {
			t.Errorf("%s: no error, want %s", c.name, c.want)
		} else if got := err.Error(); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestAMalformedListIsOneErrorWithItsPlace(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ": found no kernel, expected lines such as kernel-1.traceg"},
		{"MemcpyHtoD,0x10\n", ":1:1: found 2 fields, expected three: MemcpyHtoD,address,bytes"},
		{"MemcpyHtoD,0xzz,4\n", `:1:12: found "0xzz", expected an address`},
		{"MemcpyHtoD,0x10,many\n", `:1:17: found "many", expected a number of bytes`},
		{"kernel-\x1b[2J.traceg\n", `:1:1: found the name "kernel-\x1b[2J.traceg", expected printable characters`},
		{"\xef\xbb\xbfkernel-1.traceg\n",
			":1:1: found a byte-order mark (UTF-8), expected a kernel list, which is text"},
		{"\nfoo.traceg\n",
			`:2:1: found "foo.traceg", expected a trace (kernel-1.traceg) or a copy (MemcpyHtoD,address,bytes)`},
	} {
		_, err := readList("l.g", strings.NewReader(c.text))
		if err == nil || err.Error() != "l.g"+c.want {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
	dir := t.TempDir()
	list := filepath.Join(dir, ListName)
	put(t, list, "MemcpyHtoD,0x10,4\nkernel-9.traceg\n")
	want := list + ":2:1: the trace " + filepath.Join(dir, "kernel-9.traceg") + " is missing"
	if _, err := OpenList(dir); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestAFolderWithoutAListIsToldWhatWasExpected(t *testing.T) {
	dir := t.TempDir()
	want := dir + ": found no kernelslist.g in the folder, expected a folder of Accel-Sim traces with that list of " +
		"its kernels"
	if _, err := OpenList(dir); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestWhatIsNoRegularFileIsNoTrace(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "kernel-1.traceg")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(pipe, Options{}); err == nil || err.Error() != pipe+": found a pipe, expected a regular file" {
		t.Errorf("trace: %v", err)
	}
	list := filepath.Join(dir, "list.g")
	if err := syscall.Mkfifo(list, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenList(list); err == nil || err.Error() != list+": found a pipe, expected a regular file" {
		t.Errorf("list: %v", err)
	}
}

func TestATruncatedCompressedFileIsAnError(t *testing.T) {
	for _, name := range []string{"k.traceg.gz", "k.traceg.zst"} {
		text := compressed(t, name, shuffledText())
		_, err := Load(write(t, name, text[:len(text)-9]), Options{})
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
