package volta

import (
	"strings"

	"kumiko/kernel/cubin/rules"
	"kumiko/kernel/ir"
)

// Family has the architectures with instructions of 128 bits.
var Family = &rules.Family{
	Architectures: map[int]rules.Driver{70: volta, 72: volta, 75: volta, 80: volta, 86: volta, 87: volta, 89: volta,
		90: hopper},
	Rules: table, Twin: twin, Preds: ir.UniformPreds + 8, // P0 to P6, UP0 to UP6 and a result
	ResultPred: ir.UniformPreds + 7,
}

var volta = rules.Driver{BlockSize: 0x0, GridSize: 0xc, SharedWindow: 0x18, LocalWindow: 0x20, ConstWindow: 0x50,
	WindowWords: 2, StackTop: 0x28, Descriptor: 0x118}

var hopper = rules.Driver{BlockSize: 0x0, GridSize: 0xc, SharedWindow: 0x18, LocalWindow: 0x20, ConstWindow: 0xd0,
	WindowWords: 2, StackTop: 0x28, Descriptor: 0x208, SystemShared: 1 << 10}

// twin finds the opcodes of the uniform path.
func twin(opcode string) (of string, uniform bool) {
	switch opcode {
	case "S2UR":
		return "S2R", true
	case "UP2UR":
		return "P2R", true
	case "R2UR", "VOTEU", "REDUX":
		return "", true
	}
	plain, u := strings.CutPrefix(opcode, "U")
	if u && strings.Contains(uniforms, " "+plain+" ") {
		return plain, true
	}
	return "", false
}
