package acceptance

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus/result"
)

// faultKit has the launch file of one kernel of faults.ptx.
func faultKit(t *testing.T, kernel string) *kit {
	t.Helper()
	k := newKit(t, "faults", "")
	b, err := os.ReadFile(filepath.Join(k.dir, "launch.toml"))
	if err != nil {
		t.Fatal(err)
	}
	k.bytes("launch.toml", []byte(strings.Replace(string(b), "KERNEL", kernel, 1)))
	return k
}

func TestAFaultNamesKernelLineCTAAndThread(t *testing.T) {
	for _, c := range []struct{ kernel, want string }{
		{"store", `kernel\.ptx:11:\d+: kernel store, CTA \(0,0,0\), warp 1: st\.global\.u32: thread \(32,0,0\): address 0x[0-9a-f]+ \(4 bytes\) is in no buffer: 128 bytes past the start of "x"`},
		{"load", `kernel\.ptx:18:\d+: kernel load, CTA \(0,0,0\), warp 0: ld\.global\.u32: thread \(0,0,0\): address 0x[0-9a-f]+ .*4096 bytes past the start of "x"`},
		{"null", `kernel\.ptx:27:\d+: kernel null, CTA \(0,0,0\), warp 0: ld\S*: thread \(0,0,0\): address 0x0 `},
		{"misaligned", `kernel\.ptx:35:\d+: kernel misaligned, CTA \(0,0,0\), warp 0: .*thread \(0,0,0\): address 0x[0-9a-f]+ .*not aligned to the 8 bytes`},
		{"shared", `kernel\.ptx:47:\d+: kernel shared, CTA \(0,0,0\), warp 1: .*thread \(32,0,0\): address 0x400 \(4 bytes\) in shared space, which has 1024 bytes`},
		{"local", `kernel\.ptx:59:\d+: kernel local, CTA \(0,0,0\), warp 0: .*thread \(4,0,0\): address 0x10 \(4 bytes\) in local space, which has 16 bytes`},
		{"trap", `kernel\.ptx:89:\d+: kernel trap, CTA \(2,0,0\), warp 0: .*trap`},
	} {
		status, out, errs := faultKit(t, c.kernel).run("--set", "slice.sms=1", "--json", "-")
		if status != app.BadInput || out != "" || strings.Count(errs, "\n") != 1 ||
			!regexp.MustCompile(c.want).MatchString(errs) {
			t.Errorf("%s: status %d, %q; want %s", c.kernel, status, errs, c.want)
		}
	}
}

func TestAKernelThatNeverEndsIsStatus3AndAnIncompleteResult(t *testing.T) {
	for _, c := range []struct{ kernel, want string }{
		{"spin", `warp 0 spins \(.*kernel\.ptx:69:`},
		{"lost", `warp 1 waits at barrier 1, where 1 of 4 warps have arrived \(.*kernel\.ptx:80:`},
	} {
		status, out, errs := faultKit(t, c.kernel).run("--set", "slice.sms=1", "--json", "-")
		if status != app.Stopped || !regexp.MustCompile(c.want).MatchString(errs) {
			t.Errorf("%s: status %d, %q; want %s", c.kernel, status, errs, c.want)
		}
		var r result.Result
		if err := json.Unmarshal([]byte(out), &r); err != nil || r.Complete {
			t.Errorf("%s: complete %v, %v", c.kernel, r.Complete, err)
		}
	}
}

func TestAWrongExpectationIsStatus1WithTheElement(t *testing.T) {
	k := newKit(t, "lastblock", "")
	lastblock(k)
	k.file("out.bin", uint64(7))
	status, _, errs := k.run("--set", "slice.sms=1", "--out", filepath.Join(k.dir, "out"))
	if status != app.CheckFailed || !strings.Contains(errs, "launch.toml:17:3: out: 1 element differs") ||
		!strings.Contains(errs, "element 0 is ") {
		t.Errorf("status %d, %q", status, errs)
	}
	b, err := os.ReadFile(filepath.Join(k.dir, "out", "result.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r result.Result
	if err := json.Unmarshal(b, &r); err != nil || !r.Complete || len(r.Expect) != 1 || r.Expect[0].OK ||
		r.Expect[0].Mismatches != 1 {
		t.Errorf("%+v, %v", r.Expect, err)
	}
}
