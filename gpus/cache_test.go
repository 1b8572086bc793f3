package gpus_test

import (
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/machinetest"
	"kumiko/kernel/host"
)

// loadsOnce is a kernel with one word loaded by every thread.
func loadsOnce() string {
	return machinetest.Text("",
		"mul.wide.u32 %rd2, %r1, 4;\n add.s64 %rd3, %rd1, %rd2;\n ld.global.f32 %f1, [%rd3];\n "+
			"st.global.f32 [%rd3], %f1;\n")
}

func readsOfLaunches(t *testing.T, set ...string) (reads []uint64) {
	t.Helper()
	m := machinetest.GPU(t, "gtx980", gpus.Options{Check: true}, append(set, "sm.count=1")...)
	buf := m.Memory().Alloc("p", 1<<20)
	l := &host.Launch{Module: machinetest.Module(t, loadsOnce()), Kernel: "k", Grid: [3]int{1, 1, 1},
		Block: [3]int{1024,
			1, 1},
		Args: []host.Arg{host.U64(buf)}}
	for range 3 {
		if err := m.Launch(l); err != nil {
			t.Fatal(err)
		}
	}
	for _, k := range m.Results() {
		reads = append(reads, k.Stats["mem.dram.reads"])
	}
	return reads
}

func TestCachesStayWarmBetweenLaunches(t *testing.T) {
	r := readsOfLaunches(t)
	if r[0] == 0 || r[1] != 0 || r[2] != 0 {
		t.Errorf("DRAM reads by launch: %v, want some in the first alone", r)
	}
}

func TestFlushedCachesAreColdAtEveryLaunch(t *testing.T) {
	r := readsOfLaunches(t, "cache.flush_between_launches=true")
	if r[0] == 0 || r[1] != r[0] || r[2] != r[0] {
		t.Errorf("DRAM reads by launch: %v, want the same in each", r)
	}
}
