//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// The numbers of lanes, a byte each.
DATA lanes<>+0(SB)/8, $0x0706050403020100
DATA lanes<>+8(SB)/8, $0x0f0e0d0c0b0a0908
GLOBL lanes<>(SB), RODATA|NOPTR, $16

// func Spaced(low, high *Row, step uint32) bool
TEXT ·Spaced(SB), NOSPLIT, $0-25
	MOVQ         low+0(FP), DI
	MOVQ         high+8(FP), SI
	MOVL         step+16(FP), AX
	VPMOVZXBD    lanes<>(SB), Z2
	VPBROADCASTD AX, Z1
	VPMULLD      Z1, Z2, Z2
	SHLL         $4, AX
	VPBROADCASTD AX, Z3
	VPBROADCASTD (DI), Z4
	VPADDD       Z4, Z2, Z2
	VPADDD       Z2, Z3, Z3
	VPCMPUD      $4, (DI), Z2, K1
	VPCMPUD      $4, 64(DI), Z3, K2
	KORW         K2, K1, K1
	TESTQ        SI, SI
	JZ           done
	VPBROADCASTD (SI), Z4
	VPCMPUD      $4, (SI), Z4, K2
	KORW         K2, K1, K1
	VPCMPUD      $4, 64(SI), Z4, K2
	KORW         K2, K1, K1

done:
	KORTESTW K1, K1
	SETEQ    ret+24(FP)
	VZEROUPPER
	RET

#define WIDE_ADDRESSES(at, low, high) \
	VPMOVZXDQ low(SI), Z0; \
	VPMOVZXDQ high(DX), Z1; \
	VPSLLQ    $32, Z1, Z1; \
	VPORQ     Z1, Z0, Z0; \
	VPADDQ    Z2, Z0, Z0; \
	VMOVDQU64 Z0, at(DI)

#define SHORT_ADDRESSES(at, low) \
	VPADDD    low(SI), Y2, Y0; \
	VPMOVZXDQ Y0, Z0; \
	VMOVDQU64 Z0, at(DI)

// func Addresses(addr *[32]uint64, low, high *Row, offset uint64)
TEXT ·Addresses(SB), NOSPLIT, $0-32
	MOVQ         addr+0(FP), DI
	MOVQ         low+8(FP), SI
	MOVQ         high+16(FP), DX
	MOVQ         offset+24(FP), AX
	TESTQ        DX, DX
	JZ           short
	VPBROADCASTQ AX, Z2
	WIDE_ADDRESSES(0, 0, 0)
	WIDE_ADDRESSES(64, 32, 32)
	WIDE_ADDRESSES(128, 64, 64)
	WIDE_ADDRESSES(192, 96, 96)
	VZEROUPPER
	RET

short:
	VPBROADCASTD AX, Y2
	SHORT_ADDRESSES(0, 0)
	SHORT_ADDRESSES(64, 32)
	SHORT_ADDRESSES(128, 64)
	SHORT_ADDRESSES(192, 96)
	VZEROUPPER
	RET

// EQUAL_ADDRESSES compares eight addresses with those in Z1, and goes on to the next eight.
#define EQUAL_ADDRESSES(at) \
	KMOVB  AX, K2; \
	SHRL   $8, AX; \
	VPCMPUQ $4, at(DI), Z1, K2, K3; \
	KORB   K3, K1, K1; \
	VPADDQ Z2, Z1, Z1

// func Regular(addr *[32]uint64, base, stride uint64, mask uint32) bool
TEXT ·Regular(SB), NOSPLIT, $0-33
	MOVQ         addr+0(FP), DI
	MOVQ         base+8(FP), BX
	MOVQ         stride+16(FP), CX
	MOVL         mask+24(FP), AX
	VPBROADCASTQ BX, Z3
	VPBROADCASTQ CX, Z2
	VPMOVZXBQ    lanes<>(SB), Z1
	VPMULLQ      Z2, Z1, Z1
	VPADDQ       Z3, Z1, Z1
	VPSLLQ       $3, Z2, Z2
	KXORB        K1, K1, K1
	EQUAL_ADDRESSES(0)
	EQUAL_ADDRESSES(64)
	EQUAL_ADDRESSES(128)
	EQUAL_ADDRESSES(192)
	KORTESTB     K1, K1
	SETEQ        ret+32(FP)
	VZEROUPPER
	RET

#define BOUND_ADDRESSES(at) \
	KMOVB     AX, K1; \
	SHRL      $8, AX; \
	VPMINUQ   at(DI), Z0, K1, Z0; \
	VPMAXUQ   at(DI), Z1, K1, Z1; \
	VPORQ     at(DI), Z2, K1, Z2

// REDUCE combines the eight numbers in z into one.
#define REDUCE(ins, z, y, x, r) \
	VEXTRACTI64X4 $1, z, Y3; \
	ins           Y3, y, y; \
	VEXTRACTI64X2 $1, y, X3; \
	ins           X3, x, x; \
	VPSHUFD       $0xee, x, X3; \
	ins           X3, x, x; \
	VMOVQ         x, r

// func Bounds(addr *[32]uint64, mask uint32) (lo, hi, or uint64)
TEXT ·Bounds(SB), NOSPLIT, $0-40
	MOVQ        addr+0(FP), DI
	MOVL        mask+8(FP), AX
	VPTERNLOGD  $0xff, Z0, Z0, Z0
	VPXORQ      Z1, Z1, Z1
	VPXORQ      Z2, Z2, Z2
	BOUND_ADDRESSES(0)
	BOUND_ADDRESSES(64)
	BOUND_ADDRESSES(128)
	BOUND_ADDRESSES(192)
	REDUCE(VPMINUQ, Z0, Y0, X0, AX)
	REDUCE(VPMAXUQ, Z1, Y1, X1, BX)
	REDUCE(VPORQ, Z2, Y2, X2, CX)
	MOVQ        AX, lo+16(FP)
	MOVQ        BX, hi+24(FP)
	MOVQ        CX, or+32(FP)
	VZEROUPPER
	RET

#define COMPRESS(at) \
	KMOVB       AX, K1; \
	VMOVDQU64   at(SI), Z0; \
	VPCOMPRESSQ Z0, K1, Z0; \
	MOVBLZX     AX, CX; \
	POPCNTL     CX, CX; \
	MOVL        $-1, BX; \
	SHLL        CX, BX; \
	NOTL        BX; \
	SHRL        $8, AX; \
	KMOVB       BX, K1; \
	VMOVDQU64   Z0, K1, (DI); \
	LEAQ        (DI)(CX*8), DI

// func Compress(list *uint64, addr *[32]uint64, mask uint32)
TEXT ·Compress(SB), NOSPLIT, $0-20
	MOVQ list+0(FP), DI
	MOVQ addr+8(FP), SI
	MOVL mask+16(FP), AX
	COMPRESS(0)
	COMPRESS(64)
	COMPRESS(128)
	COMPRESS(192)
	VZEROUPPER
	RET

// GATHER loads eight words at the indices in Z1.
#define GATHER(at) \
	KMOVB      AX, K1; \
	SHRL       $8, AX; \
	VMOVDQU32  at(DI), Y0; \
	VPGATHERQD (SI)(Z1*1), K1, Y0; \
	VMOVDQU32  Y0, at(DI)

// func Gather(d *Row, data *byte, at uint64, addr *[32]uint64, mask uint32)
TEXT ·Gather(SB), NOSPLIT, $0-36
	MOVQ      d+0(FP), DI
	MOVQ      data+8(FP), SI
	ADDQ      at+16(FP), SI
	MOVQ      addr+24(FP), DX
	MOVL      mask+32(FP), AX
	VMOVDQU64 (DX), Z1
	GATHER(0)
	VMOVDQU64 64(DX), Z1
	GATHER(32)
	VMOVDQU64 128(DX), Z1
	GATHER(64)
	VMOVDQU64 192(DX), Z1
	GATHER(96)
	VZEROUPPER
	RET

// func Load(d *Row, data *byte, base, stride uint64, mask uint32)
TEXT ·Load(SB), NOSPLIT, $0-36
	MOVQ  d+0(FP), DI
	MOVQ  data+8(FP), SI
	ADDQ  base+16(FP), SI
	MOVQ  stride+24(FP), CX
	MOVL  mask+32(FP), AX
	CMPQ  CX, $4
	JE    words
	TESTQ CX, CX
	JZ    word

	VPBROADCASTQ CX, Z2
	VPMOVZXBQ    lanes<>(SB), Z1
	VPMULLQ      Z2, Z1, Z1
	VPSLLQ       $3, Z2, Z2
	GATHER(0)
	VPADDQ       Z2, Z1, Z1
	GATHER(32)
	VPADDQ       Z2, Z1, Z1
	GATHER(64)
	VPADDQ       Z2, Z1, Z1
	GATHER(96)
	VZEROUPPER
	RET

words:
	VMOVDQU32 (DI), Z0
	VMOVDQU32 64(DI), Z1
	KMOVW     AX, K1
	VMOVDQU32 (SI), K1, Z0
	SHRL      $16, AX
	KMOVW     AX, K1
	VMOVDQU32 64(SI), K1, Z1
	VMOVDQU32 Z0, (DI)
	VMOVDQU32 Z1, 64(DI)
	VZEROUPPER
	RET

word:
	VPBROADCASTD (SI), Z2
	VMOVDQU32    (DI), Z0
	VMOVDQU32    64(DI), Z1
	KMOVW        AX, K1
	VMOVDQA32    Z2, K1, Z0
	SHRL         $16, AX
	KMOVW        AX, K1
	VMOVDQA32    Z2, K1, Z1
	VMOVDQU32    Z0, (DI)
	VMOVDQU32    Z1, 64(DI)
	VZEROUPPER
	RET

// func Store(data *byte, base uint64, s *Row, mask uint32)
TEXT ·Store(SB), NOSPLIT, $0-28
	MOVQ      data+0(FP), DI
	ADDQ      base+8(FP), DI
	MOVQ      s+16(FP), SI
	MOVL      mask+24(FP), AX
	VMOVDQU32 (SI), Z0
	VMOVDQU32 64(SI), Z1
	CMPL      AX, $-1
	JNE       some
	VMOVDQU32 Z0, (DI)
	VMOVDQU32 Z1, 64(DI)
	VZEROUPPER
	RET

some:
	KMOVW     AX, K1
	VMOVDQU32 Z0, K1, (DI)
	SHRL      $16, AX
	KMOVW     AX, K1
	VMOVDQU32 Z1, K1, 64(DI)
	VZEROUPPER
	RET
