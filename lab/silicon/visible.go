package main

import (
	"fmt"
	"strings"
)

// visible are the gaps from an instruction to one that has its result, on an H100. The notes put instructions with a
// stall of one and the yield flag there, which take two cycles each, and count them with the reader (fine), or one NOP
// with a stall of the gap less one (coarse). A result that is there N cycles after its instruction is seen from fine
// gap N/2, rounded up, and from coarse gap N - 1.
func visible() []Case {
	const (
		toInt  = "IADD3 R50, R40, RZ, RZ;"
		toFP   = "FADD R50, R40, RZ;"
		toMul  = "IMAD R50, R40, 0x1, RZ;"
		toHalf = "HADD2 R50, R40, RZ;"
	)
	var out []Case
	add := func(name, producer, consumer string, fine, coarse float64) {
		for _, v := range []struct {
			name   string
			want   float64
			coarse bool
		}{{"fine", fine, false}, {"coarse", coarse, true}} {
			if v.want > 0 {
				out = append(out, Case{Name: name + ", " + v.name, Want: v.want,
					Gaps: gaps(producer, consumer, v.coarse)})
			}
		}
	}
	consumers := func(producer string, list ...any) {
		op, _, _ := strings.Cut(producer, " ")
		for i := 0; i < len(list); i += 3 {
			reader := list[i].(string)
			to, _, _ := strings.Cut(reader, " ")
			add(op+" to "+to, producer, reader, float64(list[i+1].(int)), float64(list[i+2].(int)))
		}
	}
	for _, p := range []string{"IADD3 R40, R24, R27, RZ;", "MOV R40, R24;", "LOP3.LUT R40, R24, R27, RZ, 0x96, !PT;",
		"SHF.L.U32 R40, R24, 0x3, R27;", "FMNMX R40, R24, R27, PT;"} {
		consumers(p, toInt, 2, 2, toFP, 3, 4, toHalf, 3, 4)
	}
	for _, p := range []string{"FADD R40, R24, R27;", "FFMA R40, R24, R27, R28;", "IMAD R40, R24, R27, RZ;",
		"IDP.4A.U8.U8 R40, R24, R27, RZ;"} {
		consumers(p, toInt, 3, 4, toFP, 2, 2, toMul, 2, 2, toHalf, 3, 4)
	}
	for _, p := range []string{"HADD2 R40, R24, R27;", "HFMA2 R40, R24, R27, R28;"} {
		consumers(p, toHalf, 2, 2, toInt, 3, 4, toFP, 3, 4)
	}
	consumers("HFMA2.MMA R40, R24, R27, R28;", toHalf, 4, 7, toInt, 4, 7, toFP, 4, 7)
	for _, p := range []string{"DADD R40, R24, R26;", "DFMA R40, R24, R26, R28;"} {
		consumers(p, toInt, 4, 7, toFP, 4, 7, "DADD R50, R40, RZ;", 4, 7)
	}
	const wide = "IMAD.WIDE R40, R24, R27, RZ;"
	upper := func(reader string) string { return strings.Replace(reader, "R40", "R41", 1) }
	add("lower word of IMAD.WIDE to IADD3", wide, toInt, 2, 0)
	add("lower word of IMAD.WIDE to FADD", wide, toFP, 1, 0)
	add("upper word of IMAD.WIDE to IADD3", wide, upper(toInt), 3, 4)
	add("upper word of IMAD.WIDE to FADD", wide, upper(toFP), 2, 0)
	consumers("IMAD.HI R40, R24, R27, RZ;", toInt, 3, 4, toFP, 2, 0)
	consumers("ISETP.LT.AND P0, PT, R24, R27, PT;", "SEL R50, R30, R32, P0;", 2, 2, "@P0 MOV R50, R30;", 7, 12)
	for i := range out {
		out[i].Group, out[i].GPU, out[i].Warps, out[i].Within = "Results of an H100: gap from which a reader has them",
			"h100", 1, 0.1
		out[i].Source = pipelines
	}
	return out
}

// gaps returns the sequences of a producer and a consumer, the nearest first.
func gaps(producer, consumer string, coarse bool) []string {
	const most = 16
	var out []string
	for gap := 1; gap <= most; gap++ {
		text := yielded(producer)
		switch {
		case coarse && gap > 1:
			text += fmt.Sprintf("[B------:R-:W-:Y:S%02d] NOP;\n", gap-1)
		case !coarse:
			text += strings.Repeat(yielded("NOP;"), gap-1)
		}
		out = append(out, text+"[B------:R-:W-:Y:S08] "+consumer+"\n"+quiet)
	}
	return out
}
