package ir

// Values of Mods.Video, PTX ISA section 9.7.18 (SIMD video instructions): one
// of the operations, together with the flags that apply. Inst.Type is the
// destination's type (U32 or S32), Inst.SrcType that of a's parts; Src are a,
// b, c. Mods.Sat saturates each part of the result, Mods.Cmp is vset's
// comparison. Lane masks and part selectors other than the defaults are not
// represented.
const (
	VideoAdd     uint8 = 0
	VideoSub     uint8 = 1
	VideoAvrg    uint8 = 2
	VideoAbsDiff uint8 = 3
	VideoMin     uint8 = 4
	VideoMax     uint8 = 5
	VideoSet     uint8 = 6
	// VideoOpMask extracts the operation.
	VideoOpMask uint8 = 0x07
	// VideoQuad: four 8-bit parts (vadd4 ...); otherwise two of 16 bits.
	VideoQuad uint8 = 0x08
	// VideoAccumulate is .add: the parts are summed into c, giving one 32-bit result.
	VideoAccumulate uint8 = 0x10
	// VideoMixedSigns: b's parts have the other signedness than a's.
	VideoMixedSigns uint8 = 0x20
)
