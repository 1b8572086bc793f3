package sass

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

const listedTrace = `-kernel name = k
-kernel id = 1
-grid dim = (1,1,1)
-block dim = (32,1,1)
-shmem = 0
-nregs = 8
-binary version = VERSION
-cuda stream id = 0
-shmem base_addr = 0x00007f0000000000
-local mem base_addr = 0x00007e0000000000
-nvbit version = 1.7
-accelsim tracer version = 5
-enable lineinfo = 0

#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses] immediate

#BEGIN_TB

thread block = 0,0,0

warp = 0
insts = 3
AT0 ffffffff 1 R1 FADD 2 R2 R3 0 0
AT1 ffffffff 1 R4 FFMA 3 R1 R5 R6 0 0
AT2 ffffffff 0 EXIT 0 0 0

#END_TB
`

const listedCode = `	.section .text.other,"ax",@progbits
        [B------:R-:W-:-:S01]         /*0000*/                   NOP ;
	.section .text.k,"ax",@progbits
        [B------:R-:W-:-:S04]         /*0000*/                   FADD.FTZ R1, R2.reuse, R3 ;
        [B------:R-:W-:-:S05]         /*0010*/                   FFMA R4, R1, R5, R6 ;
        [B------:R-:W-:-:S06]         /*0020*/                   EXIT ;
`

// besideListing loads a trace beside a listing; at are its addresses.
func besideListing(t *testing.T, version, listing string, at ...string) (*Launch, error) {
	t.Helper()
	dir := t.TempDir()
	text := strings.Replace(listedTrace, "VERSION", version, 1)
	for i, a := range at {
		text = strings.Replace(text, "AT"+string(rune('0'+i)), a, 1)
	}
	for name, text := range map[string]string{"k.traceg": text, ListingName: listing} {
		put(t, filepath.Join(dir, name), text)
	}
	return Load(filepath.Join(dir, "k.traceg"), Options{})
}

func TestATraceTakesControlWordsFromTheListingBesideIt(t *testing.T) {
	for version, at := range map[string][]string{"80": {"0000", "0010", "0020"}, "52": {"0008", "0010", "0018"}} {
		l, err := besideListing(t, version, listedCode, at...)
		if err != nil {
			t.Fatal(err)
		}
		if len(l.Kernel.Insts) != 3 {
			t.Fatalf("%d instructions, want 3", len(l.Kernel.Insts))
		}
		for i, want := range []uint8{4, 5, 6} {
			if c := l.Kernel.Insts[i].Control; !c.Set || c.Stall != want {
				t.Errorf("version %s: instruction %d: %v, want a stall of %d", version, i, c, want)
			}
		}
		if r := l.Kernel.Insts[0].Control.Reuse; r != 1 {
			t.Errorf("flags %b, want that of operand a", r)
		}
	}
}

func TestAListingThatIsNotOfTheTraceIsRefused(t *testing.T) {
	at := []string{"0000", "0010", "0020"}
	beyond, between := []string{"0000", "0010", "0040"}, []string{"0000", "0018", "0020"}
	for want, c := range map[string]struct {
		listing string
		at      []string
	}{
		"k.traceg:24: found FFMA at 0x10 of k, expected FMUL": {strings.Replace(listedCode, "FFMA", "FMUL", 1), at},
		"listing.sass:5": {strings.Replace(listedCode, "FFMA", "FMUL", 1), at},
		"k.traceg:25: found EXIT at 0x40, expected an address of the 3 instructions": {listedCode, beyond},
		"found addresses that are not those of one function, expected so of k":       {listedCode, between},
		"listing.sass:5:66: found FFMA without a control word": {strings.Replace(listedCode,
			"[B------:R-:W-:-:S05]", "                     ", 1), at},
		"listing.sass:4:27: found": {strings.Replace(listedCode, "B------:R-:W-:-:S04", "B------:R-:W-:-:S44", 1), at},
	} {
		_, err := besideListing(t, "80", c.listing, c.at...)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestAListingOfOtherKernelsChangesNothing(t *testing.T) {
	l, err := besideListing(t, "80", strings.Replace(listedCode, ".text.k", ".text.m", 1), "0000", "0010", "0020")
	if err != nil {
		t.Fatal(err)
	}
	if l.Kernel.Insts[0].Control.Set {
		t.Errorf("%v, want no control word", l.Kernel.Insts[0].Control)
	}
}

func TestARecordedControlWordOutOfRangeIsRefused(t *testing.T) {
	for _, word := range []string{`"Wait":64`, `"Stall":16`, `"Read":6`, `"Write":9`, `"Reuse":16`,
		`"Hold":{"Set":true,"Counter":6}`} {
		text := "-kumiko program = 1\n-kumiko kernel = {\"NumRegs\":4}\n" +
			"-kumiko inst = {\"Op\":1,\"Control\":{\"Set\":true," + word + "}}\n"
		name := filepath.Join(t.TempDir(), "k.traceg")
		put(t, name, text)
		_, err := Load(name, Options{})
		var e *Error
		if !errors.As(err, &e) || e.Line != 3 || !strings.HasSuffix(e.Msg, "counters 0 to 5 and stalls 0 to 15") {
			t.Errorf("%s: %v", word, err)
		}
	}
}
