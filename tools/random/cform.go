package main

import (
	"fmt"
	"strings"
)

// A translation writes the C form of a kernel: each PTX statement becomes one statement of C, and a thread runs alone,
// from its beginning to its end. This is possible because lanes of these kernels exchange no values: a barrier, and an
// operation across lanes of which each lane keeps its own part, then change nothing.
type translation struct {
	b       strings.Builder
	targets map[string][]string // of tables, by label
}

// preamble declares what both functions of the C form use. The memory for gone is where lanes continue after exit.
const preamble = `#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
static jmp_buf gone;
static u32 ctaid_x, ntid_x, tid_x, laneid;
`

// cForm returns the kernel as a C program that writes the output buffer to its standard output.
func (p *program) cForm() (string, error) {
	t := &translation{targets: map[string][]string{}}
	for line := range strings.Lines(p.text) {
		if label, list, ok := strings.Cut(line, ": .branchtargets "); ok {
			t.targets[label] = strings.Split(strings.TrimSuffix(strings.TrimSpace(list), ";"), ", ")
		}
	}
	t.b.WriteString(preamble)
	for n, line := range strings.Split(p.text, "\n") {
		if err := t.line(strings.TrimSpace(line)); err != nil {
			return "", fmt.Errorf("line %d of the kernel has no C form: %w", n+1, err)
		}
	}
	fmt.Fprintf(&t.b, `static u32 words[%[1]d], out[%[2]d];
int main(void) {
	for (u32 i = 0; i < %[1]d; i++) words[i] = i * %[5]du;
	ntid_x = %[4]d;
	for (ctaid_x = 0; ctaid_x < %[3]d; ctaid_x++)
		for (tid_x = 0; tid_x < %[4]d; tid_x++) {
			laneid = tid_x %% 32;
			if (!setjmp(gone)) entry((u64)(uintptr_t)words, (u64)(uintptr_t)out);
		}
	return fwrite(out, 4, %[2]d, stdout) != %[2]d;
}
`, tableLen, p.vars*p.grid*p.block, p.grid, p.block, uint32(tableFactor))
	return t.b.String(), nil
}

func (t *translation) p(format string, args ...any) { fmt.Fprintf(&t.b, format+"\n", args...) }

// heads are the lines of a kernel with no C form of their own, or with a fixed one.
var heads = map[string]string{
	"": "", "{": "{", "}": "}", ".address_size 64": "", fmt.Sprintf(".maxnreg %d", launched): "",
	functionHead + ";": "",
	functionHead:       "static u32 f(u32 param_x, u32 param_depth, u64 param_from)",
	entryHead:          "static u32 entry(u64 param_table, u64 param_out)",
	".param .u32 x;":   "u32 x;", ".param .u32 depth;": "u32 depth;", ".param .u64 from;": "u64 from;",
	".param .u32 result;": "u32 result;",
}

// line writes a line of PTX.
func (t *translation) line(s string) error {
	if c, ok := heads[s]; ok {
		t.p("%s", c)
		return nil
	}
	switch {
	case strings.HasPrefix(s, "//"), strings.HasPrefix(s, ".version"), strings.HasPrefix(s, ".target"),
		strings.Contains(s, ".branchtargets"):
		return nil
	case strings.HasPrefix(s, ".local"):
		t.p("u32 array[%d], result = 0;", arrayLen)
		return nil
	case strings.HasPrefix(s, ".reg"):
		t.declare(strings.Fields(s)[1], strings.TrimSuffix(s, ";"))
		return nil
	case strings.HasSuffix(s, ":"):
		t.p("%s;", s)
		return nil
	}
	guard, s := cutGuard(strings.TrimSuffix(s, ";"))
	op, rest, _ := strings.Cut(s, " ")
	c, err := t.statement(op, operands(rest))
	if err != nil {
		return err
	}
	t.p("%s%s", guard, c)
	return nil
}

// declare writes the registers of a declaration, with the value 0.
func (t *translation) declare(kind, list string) {
	c := map[string]string{".b32": "u32", ".b64": "u64", ".pred": "int"}[kind]
	_, list, _ = strings.Cut(list, kind+" ")
	for _, name := range strings.Split(list, ", ") {
		name = strings.TrimPrefix(name, "%")
		base, count, many := strings.Cut(strings.TrimSuffix(name, ">"), "<")
		if !many {
			t.p("%s %s = 0;", c, name)
			continue
		}
		n := 0
		fmt.Sscan(count, &n)
		for i := range n {
			t.p("%s %s%d = 0;", c, base, i)
		}
	}
}

// cutGuard returns the condition of a guarded statement.
func cutGuard(s string) (guard, rest string) {
	if !strings.HasPrefix(s, "@") {
		return "", s
	}
	guard, rest, _ = strings.Cut(s[1:], " ")
	return "if (" + strings.Replace(guard, "%", "", 1) + ") ", rest
}

// operands returns the operands as names and numbers of C.
func operands(s string) []string {
	list := strings.Split(s, ", ")
	for i, x := range list {
		x = strings.NewReplacer("%", "", ".", "_").Replace(x)
		if x != "" && x[0] >= '0' && x[0] <= '9' {
			x += "u"
		}
		list[i] = x
	}
	return list
}

// arithmetic has the C expressions of instructions with a destination, $0, and sources from $1 on.
var arithmetic = map[string]string{
	"mov.u32": "$1", "add.u32": "$1 + $2", "sub.u32": "$1 - $2", "xor.b32": "$1 ^ $2", "and.b32": "$1 & $2",
	"mul.lo.u32": "$1 * $2", "max.u32": "$1 > $2 ? $1 : $2", "rem.u32": "$1 % $2",
	"shr.u32": "$2 > 31 ? 0 : $1 >> ($2 & 31)", "shl.b32": "$2 > 31 ? 0 : $1 << ($2 & 31)",
	"mad.lo.u32": "$1 * $2 + $3", "mul.wide.u32": "(u64)$1 * $2", "add.u64": "$1 + $2",
	"selp.u32":    "$3 ? $1 : $2",
	"setp.lt.u32": "$1 < $2", "setp.ge.u32": "$1 >= $2", "setp.ne.u32": "$1 != $2", "setp.eq.u32": "$1 == $2",
	"setp.gt.s32": "(s32)$1 > (s32)$2", "setp.le.s32": "(s32)$1 <= (s32)$2",
	"shfl.sync.idx.b32": "$1", "vote.sync.ballot.b32": "(u32)$1 << laneid", "activemask.b32": "0",
}

// statement returns the C statement of an instruction.
func (t *translation) statement(op string, x []string) (string, error) {
	if e, ok := arithmetic[op]; ok {
		if x[len(x)-1] == "array" {
			x[len(x)-1] = "0" // addresses of local memory are offsets in the array
		}
		for i, v := range x {
			e = strings.ReplaceAll(e, fmt.Sprintf("$%d", i), v)
		}
		return fmt.Sprintf("%s = %s;", x[0], e), nil
	}
	address := func(i int) string { return strings.Trim(x[i], "[]") }
	switch op {
	case "bra":
		return fmt.Sprintf("goto %s;", x[0]), nil
	case "brx.idx":
		return t.table(x[0], x[1])
	case "ret":
		return "return result;", nil
	case "exit":
		return "longjmp(gone, 1);", nil
	case "bar.sync", "bar.warp.sync", "setmaxnreg.dec.sync.aligned.u32",
		"setmaxnreg.inc.sync.aligned.u32":
		return ";", nil
	case "ld.param.u32", "ld.param.u64":
		if address(1) == "result" {
			return fmt.Sprintf("%s = result;", x[0]), nil
		}
		return fmt.Sprintf("%s = param_%s;", x[0], address(1)), nil
	case "st.param.u32", "st.param.u64":
		return fmt.Sprintf("%s = %s;", address(0), x[1]), nil
	case "call":
		return "result = f(x, depth, from);", nil
	case "ld.global.u32":
		return fmt.Sprintf("%s = *(u32 *)(uintptr_t)(%s);", x[0], address(1)), nil
	case "st.global.u32":
		return fmt.Sprintf("*(u32 *)(uintptr_t)(%s) = %s;", address(0), x[1]), nil
	case "ld.local.u32":
		return fmt.Sprintf("%s = array[(%s) / 4];", x[0], address(1)), nil
	case "st.local.u32":
		return fmt.Sprintf("array[(%s) / 4] = %s;", strings.Replace(address(0), "array", "0", 1), x[1]), nil
	}
	return "", fmt.Errorf("instruction %s", op)
}

// table returns a switch for a branch by a table.
func (t *translation) table(index, table string) (string, error) {
	list := t.targets[table]
	if len(list) == 0 {
		return "", fmt.Errorf("branch by a table %s without targets", table)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "switch (%s) {", index)
	for i, to := range list {
		fmt.Fprintf(&b, " case %d: goto %s;", i, to)
	}
	return b.String() + " }", nil
}
