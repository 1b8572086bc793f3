package ptx

import (
	"strings"
	"testing"
)

func TestSetmaxnregTakesAMultipleOfEightFrom24To256(t *testing.T) {
	for text, want := range map[string]string{
		"setmaxnreg.dec.sync.aligned.u32 24;":  "",
		"setmaxnreg.inc.sync.aligned.u32 256;": "",
		"setmaxnreg.inc.sync.aligned.u32 16;": "t.ptx:6:33: found 16 as the registers of setmaxnreg.inc.sync." +
			"aligned.u32, expected a constant from 24 to 256, a multiple of 8",
		"setmaxnreg.inc.sync.aligned.u32 264;": "t.ptx:6:33: found 264 as the registers",
		"setmaxnreg.inc.sync.aligned.u32 100;": "t.ptx:6:33: found 100 as the registers",
		"setmaxnreg.inc.sync.aligned.u32 %r1;": "t.ptx:6:33: found %r1 as the registers",
		"@%p1 setmaxnreg.dec.sync.aligned.u32 24;": "t.ptx:6:6: found a guard before setmaxnreg.dec.sync.aligned." +
			"u32, expected none",
		"setmaxnreg.sync.aligned.u32 24;": "t.ptx:6:1: found setmaxnreg.sync.aligned.u32, expected a direction",
		"setmaxnreg.dec.aligned.u32 24;":  "t.ptx:6:1: found setmaxnreg.dec.aligned.u32, expected .sync",
		"setmaxnreg.dec.sync.u32 24;":     "t.ptx:6:1: found setmaxnreg.dec.sync.u32, expected .aligned",
	} {
		m, err := Parse("t.ptx", []byte(header+".entry k() {\n.reg .pred %p<3>; .reg .b32 %r<3>;\n"+text+"\nret; }"))
		switch {
		case want == "" && (err != nil || len(m.Kernels) != 1):
			t.Errorf("%s: %v, want a kernel", text, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s:\n%v\nwant %s", text, err, want)
		}
	}
}
