package recording

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/mem"
	"kumiko/kernel/ptx"
)

// code doubles each of 64 numbers, multiplied by a constant of the module.
const code = `.version 6.3
.target sm_52
.address_size 64
.const .align 4 .u32 factor;
.visible .entry scale(.param .u64 p)
{
.reg .b32 %r<5>;
.reg .b64 %rd<4>;
ld.param.u64 %rd1, [p];
cvta.to.global.u64 %rd1, %rd1;
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd3, %rd1, %rd2;
ld.global.u32 %r2, [%rd3];
ld.const.u32 %r3, [factor];
mul.lo.u32 %r4, %r2, %r3;
st.global.u32 [%rd3], %r4;
ret;
}
`

// recorded records two launches over a block of n bytes of random numbers, written by the host, and returns the file.
func recorded(t *testing.T, n int) string {
	t.Helper()
	m, data := &mem.Memory{}, make([]byte, n+1<<20)
	if err := m.Back(Base, data); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w, err := NewWriter(&out)
	if err != nil {
		t.Fatal(err)
	}
	m.Note()
	add := func(e *Event) {
		t.Helper()
		if err := w.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	texts := [][]byte{[]byte(code)}
	list, err := Parse(m, 0, texts)
	if err != nil {
		t.Fatal(err)
	}
	u := list[0]
	add(&Event{Kind: Loaded, Texts: texts})
	at, ok := Allocate(m, uint64(n))
	if !ok {
		t.Fatal("no room")
	}
	add(&Event{Kind: Allocated, Addr: at, Size: uint64(n)})
	three := []byte{3, 0, 0, 0}
	factor, err := m.Symbol(u, "factor")
	if err != nil {
		t.Fatal(err)
	}
	copy(factor, three)
	add(&Event{Kind: Written, Name: "factor", Data: three})
	block, err := m.Bytes(at+Slack, n)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := 0; i+8 <= n; i += 8 {
		binary.LittleEndian.PutUint64(block[i:], r.Uint64())
	}
	l := &host.Launch{Module: u, Kernel: "scale", Grid: [3]int{1, 1, 1}, Block: [3]int{64, 1, 1},
		Args: []host.Arg{host.U64(at + Slack)}}
	for range 2 {
		if err := w.Host(m, []Range{{at + Slack, uint64(n)}}); err != nil {
			t.Fatal(err)
		}
		if err := (&emu.Runner{Mem: m}).Launch(l); err != nil {
			t.Fatal(err)
		}
		if err := w.Launched(0, l, m); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "a.kumiko")
	if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// run runs a recording on the emulator, with spoil called after each launch, and returns the number of launches.
func run(t *testing.T, file string, spoil func(*mem.Memory)) (int, error) {
	t.Helper()
	p, err := Open(file)
	if err != nil {
		return 0, err
	}
	m := &mem.Memory{}
	c := &counted{emu.Runner{Mem: m}, spoil, 0}
	err = p.Run(&host.Device{Mem: m, Runner: c})
	return c.launches, err
}

type counted struct {
	emu.Runner
	spoil    func(*mem.Memory)
	launches int
}

func (c *counted) Launch(l *host.Launch) error {
	c.launches++
	err := c.Runner.Launch(l)
	c.spoil(c.Mem)
	return err
}

func nothing(*mem.Memory) {}

func TestARecordingRunsTwiceWithTheSameMemory(t *testing.T) {
	// The larger has more pages than one event.
	for _, n := range []int{1000, (mostPages + 10) * pageBytes} {
		file := recorded(t, n)
		for range 2 {
			if _, err := run(t, file, nothing); err != nil {
				t.Errorf("%d bytes: %v", n, err)
			}
		}
	}
}

func TestAnotherByteAfterALaunchIsFound(t *testing.T) {
	at := 0
	_, err := run(t, recorded(t, 1000), func(m *mem.Memory) {
		if at++; at == 2 {
			m.Regions()[0].Data[Slack+7] ^= 1
		}
	})
	var check *host.CheckError
	if !errors.As(err, &check) || check.Mismatches != 1 || check.First != "launch 2, of scale" {
		t.Errorf("found %v, want a difference after the second launch", err)
	}
}

func TestARecordingSaysWhatItLaunches(t *testing.T) {
	p, err := Open(recorded(t, 1000))
	if err != nil {
		t.Fatal(err)
	}
	k := p.Kernels()
	if len(k) != 1 || k[0].Name != "scale" || k[0].Launches != 2 || k[0].First.Block != [3]int{64, 1, 1} {
		t.Errorf("found %+v, want two launches of scale with 64 threads", k)
	}
	m, err := p.Module(ptx.Limits{})
	if err != nil || len(m.Kernels) != 1 || m.Kernel("scale") == nil {
		t.Errorf("found %+v, %v, want the kernel scale", m, err)
	}
}

func TestADamagedFileIsRefusedBeforeItRuns(t *testing.T) {
	file := recorded(t, 1000)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	damaged := map[string][]byte{"nothing": {}, "more": append(bytes.Clone(whole), "more"...)}
	for n := len(Magic); n < len(whole); n += 41 {
		damaged["cut"] = whole[:n]
		bit := bytes.Clone(whole)
		bit[n] ^= 4
		damaged["bit"] = bit
		for what, text := range damaged {
			if err := os.WriteFile(file, text, 0o644); err != nil {
				t.Fatal(err)
			}
			if launches, err := run(t, file, nothing); err == nil || launches > 0 {
				t.Errorf("%s at byte %d of %d: %d launches, %v", what, n, len(whole), launches, err)
			}
		}
	}
	if err := os.WriteFile(file, []byte("something else, long enough"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err = Open(file)
	if err == nil || !strings.Contains(err.Error(), "as kumiko capture writes it") {
		t.Errorf("another file: %v", err)
	}
}
