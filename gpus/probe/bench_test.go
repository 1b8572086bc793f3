package probe

import (
	"strings"
	"testing"

	"kumiko/gpus/config"
	"kumiko/kernel/cuasm"
)

// The same instructions with scoreboards and with control words, which need fewer checks.
func BenchmarkIssue(b *testing.B) {
	text := strings.Repeat("[B------:R-:W-:-:S06] FFMA R1, R1, R2, R3;\n[B------:R-:W-:-:S01] FADD R4, R5, R6;\n", 8)
	list, err := cuasm.Read("x.sass", []byte(text))
	if err != nil {
		b.Fatal(err)
	}
	code := list[0].Insts
	for _, dependences := range []string{"scoreboard", "control"} {
		b.Run(dependences, func(b *testing.B) {
			cfg, err := config.Load(config.Request{GPU: "gtx980-sm52",
				Set: append(Settings(code), "sched.dependences="+dependences)})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := Run(cfg, code, strings.Split(text, "\n"), Spec{Warps: 64, Repeat: 100}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
