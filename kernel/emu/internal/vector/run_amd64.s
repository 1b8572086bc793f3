//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "macros_amd64.h"

// func Run(ops *Op, rows *Row, preds *uint32, exec, lanes uint32)
TEXT ·Run(SB), NOSPLIT|NOFRAME, $0-32
	MOVQ       ops+0(FP), R8
	MOVQ       rows+8(FP), DI
	MOVQ       preds+16(FP), SI
	MOVL       exec+24(FP), R12
	MOVL       lanes+28(FP), AX
	NOTL       AX
	KMOVW      AX, K1
	SHRL       $16, AX
	KMOVW      AX, K2
	ALL_ONES(Z31)
	VPSRLD     $1, Z31, Z31
	MOVQ       Op_routine(R8), AX
	JMP        AX

ROUTINE(end, const_End)
	VZEROUPPER
	RET

// func routines() *[NumCodes]uintptr
TEXT ·routines(SB), NOSPLIT, $0-8
	LEAQ table<>(SB), AX
	MOVQ AX, ret+0(FP)
	RET

GLOBL table<>(SB), RODATA|NOPTR, $(8*const_NumCodes)

// Moves and bits

UNARY(mov, const_Mov, VMOVDQU32)
UNARY(absS, const_AbsS, VPABSD)

ROUTINE(bits, const_Bits)
	LOAD_A(Z0, Z1)
	VPANDD.BCST Op_X(R8), Z0, Z0
	VPANDD.BCST Op_X(R8), Z1, Z1
	VPXORD.BCST Op_Y(R8), Z0, Z0
	VPXORD.BCST Op_Y(R8), Z1, Z1
	STORE(Z0, Z1)

ROUTINE(extend, const_Extend)
	LOAD_A(Z0, Z1)
	VPBROADCASTD Op_X(R8), Z2
	VPSLLVD Z2, Z0, Z0
	VPSLLVD Z2, Z1, Z1
	VPSRAVD Z2, Z0, Z0
	VPSRAVD Z2, Z1, Z1
	STORE(Z0, Z1)

ROUTINE(neg, const_Neg)
	VPXORD Z0, Z0, Z0
	MOVL   Op_A(R8), BX
	VPSUBD 64(DI)(BX*1), Z0, Z1
	VPSUBD (DI)(BX*1), Z0, Z0
	STORE(Z0, Z1)

ROUTINE(sign, const_Sign)
	LOAD_A(Z0, Z1)
	VPSRAD $31, Z0, Z0
	VPSRAD $31, Z1, Z1
	STORE(Z0, Z1)

ROUTINE(select, const_Select)
	MASKS(Op_C, Op_X, K3, K4)
	LOAD_A(Z0, Z1)
	LOAD_B(Z2, Z3)
	VMOVDQA32 Z0, K3, Z2
	VMOVDQA32 Z1, K4, Z3
	STORE(Z2, Z3)

BINARY(and, const_And, VPANDD)
BINARY(or, const_Or, VPORD)
BINARY(xor, const_Xor, VPXORD)
BINARY(shl, const_Shl, VPSLLVD)
BINARY(shrU, const_ShrU, VPSRLVD)
BINARY(shrS, const_ShrS, VPSRAVD)

ROUTINE(funnelL, const_FunnelL)
	FUNNEL
	VPSLLVD Z4, Z2, Z2
	VPSLLVD Z5, Z3, Z3
	VPSRLVD Z6, Z0, Z0
	VPSRLVD Z7, Z1, Z1
	VPORD   Z0, Z2, Z0
	VPORD   Z1, Z3, Z1
	STORE(Z0, Z1)

ROUTINE(funnelR, const_FunnelR)
	FUNNEL
	VPSRLVD Z4, Z0, Z0
	VPSRLVD Z5, Z1, Z1
	VPSLLVD Z6, Z2, Z2
	VPSLLVD Z7, Z3, Z3
	VPORD   Z0, Z2, Z0
	VPORD   Z1, Z3, Z1
	STORE(Z0, Z1)

// Integers

BINARY(add, const_Add, VPADDD)
BINARY(sub, const_Sub, VPSUBD)
BINARY(mul, const_Mul, VPMULLD)
BINARY(minU, const_MinU, VPMINUD)
BINARY(minS, const_MinS, VPMINSD)
BINARY(maxU, const_MaxU, VPMAXUD)
BINARY(maxS, const_MaxS, VPMAXSD)

ROUTINE(mulHiU, const_MulHiU)
	PRODUCTS(VPMULUDQ)
	STORE(Z6, Z7)

ROUTINE(mulHiS, const_MulHiS)
	PRODUCTS(VPMULDQ)
	STORE(Z6, Z7)

ROUTINE(mulWideU, const_MulWideU)
	PRODUCTS(VPMULUDQ)
	STORE_PAIR(Z4, Z5, Z6, Z7)

ROUTINE(mulWideS, const_MulWideS)
	PRODUCTS(VPMULDQ)
	STORE_PAIR(Z4, Z5, Z6, Z7)

ROUTINE(mad, const_Mad)
	LOAD_A(Z0, Z1)
	LOAD_C(Z2, Z3)
	MOVL    Op_B(R8), CX
	VPMULLD (DI)(CX*1), Z0, Z0
	VPMULLD 64(DI)(CX*1), Z1, Z1
	VPADDD  Z2, Z0, Z0
	VPADDD  Z3, Z1, Z1
	STORE(Z0, Z1)

ROUTINE(madWideU, const_MadWideU)
	PRODUCTS(VPMULUDQ)
	ADD_PAIR_C
	STORE_PAIR(Z4, Z5, Z6, Z7)

ROUTINE(madWideS, const_MadWideS)
	PRODUCTS(VPMULDQ)
	ADD_PAIR_C
	STORE_PAIR(Z4, Z5, Z6, Z7)

// Carries, of subtractions borrows. K3 and K4 are those that come in, K5 and K6 those that go out.

ROUTINE(addOut, const_AddOut)
	ADD_AB
	CARRIES_OUT
	STORE(Z0, Z1)

ROUTINE(addCarry, const_AddCarry)
	MASKS(Op_C, Op_X, K3, K4)
	ADD_AB
	ADD_CARRIES
	CARRIES_OUT
	STORE(Z0, Z1)

ROUTINE(addWith, const_AddWith)
	MASKS(Op_C, Op_X, K3, K4)
	ADD_AB
	ALL_ONES(Z30)
	VPSUBD Z30, Z0, K3, Z0
	VPSUBD Z30, Z1, K4, Z1
	STORE(Z0, Z1)

ROUTINE(subOut, const_SubOut)
	SUB_AB
	BORROWS_OUT
	STORE(Z0, Z1)

ROUTINE(subBorrow, const_SubBorrow)
	MASKS(Op_C, Op_X, K3, K4)
	SUB_AB
	SUB_BORROWS
	BORROWS_OUT
	STORE(Z0, Z1)

ROUTINE(subWith, const_SubWith)
	MASKS(Op_C, Op_X, K3, K4)
	SUB_AB
	ALL_ONES(Z30)
	VPADDD Z30, Z0, K3, Z0
	VPADDD Z30, Z1, K4, Z1
	STORE(Z0, Z1)

// Comparisons of integers

COMPARE(equal, const_Equal, VPCMPUD, $0)
COMPARE(notEqual, const_NotEqual, VPCMPUD, $4)
COMPARE(lessS, const_LessS, VPCMPD, $1)
COMPARE(lessEqualS, const_LessEqualS, VPCMPD, $2)
COMPARE(lessU, const_LessU, VPCMPUD, $1)
COMPARE(lessEqualU, const_LessEqualU, VPCMPUD, $2)

// Comparisons of singles: the quiet ones, so that no flag is set for a NaN.

COMPARE(fEqual, const_FEqual, VCMPPS, $0x00)
COMPARE(fNotEqual, const_FNotEqual, VCMPPS, $0x0c)
COMPARE(fLess, const_FLess, VCMPPS, $0x11)
COMPARE(fLessEqual, const_FLessEqual, VCMPPS, $0x12)
COMPARE(fEqualU, const_FEqualU, VCMPPS, $0x08)
COMPARE(fNotEqualU, const_FNotEqualU, VCMPPS, $0x04)
COMPARE(fLessU, const_FLessU, VCMPPS, $0x19)
COMPARE(fLessEqualU, const_FLessEqualU, VCMPPS, $0x1a)
COMPARE(fOrdered, const_FOrdered, VCMPPS, $0x07)
COMPARE(fUnordered, const_FUnordered, VCMPPS, $0x03)

// Predicates

ROUTINE(pMov, const_PMov)
	MOVL Op_A(R8), BX
	MOVL (SI)(BX*1), DX
	XORL Op_X(R8), DX
	NEXT

ROUTINE(pAnd, const_PAnd)
	TWO_PREDS
	ANDL AX, DX
	NEXT

ROUTINE(pOr, const_POr)
	TWO_PREDS
	ORL AX, DX
	NEXT

ROUTINE(pXor, const_PXor)
	TWO_PREDS
	XORL AX, DX
	NEXT

ROUTINE(put, const_Put)
	MOVL DX, CX
	NOTL CX
	WRITE_PRED(Op_A, DX)
	WRITE_PRED(Op_B, CX)
	NEXT

ROUTINE(putAnd, const_PutAnd)
	PUT_COMBINED(ANDL)

ROUTINE(putOr, const_PutOr)
	PUT_COMBINED(ORL)

ROUTINE(putXor, const_PutXor)
	PUT_COMBINED(XORL)

// Single precision

BINARY_FLOAT(fAdd, const_FAdd, VADDPS)
BINARY_FLOAT(fSub, const_FSub, VSUBPS)
BINARY_FLOAT(fMul, const_FMul, VMULPS)
BINARY_FLOAT(fDiv, const_FDiv, VDIVPS)
EXTREMES(fMin, const_FMin, VPMINSD)
EXTREMES(fMax, const_FMax, VPMAXSD)

ROUTINE(fFma, const_FFma)
	LOAD_A(Z0, Z1)
	LOAD_B(Z2, Z3)
	MOVL Op_C(R8), R9
	VFMADD213PS (DI)(R9*1), Z2, Z0
	VFMADD213PS 64(DI)(R9*1), Z3, Z1
	CANON(Z0)
	CANON(Z1)
	STORE(Z0, Z1)

ROUTINE(fSqrt, const_FSqrt)
	LOAD_A(Z0, Z1)
	VSQRTPS Z0, Z0
	VSQRTPS Z1, Z1
	CANON(Z0)
	CANON(Z1)
	STORE(Z0, Z1)

ROUTINE(fRcp, const_FRcp)
	SINGLES($0x3f800000, Z2)
	MOVL   Op_A(R8), BX
	VDIVPS (DI)(BX*1), Z2, Z0
	VDIVPS 64(DI)(BX*1), Z2, Z1
	CANON(Z0)
	CANON(Z1)
	STORE(Z0, Z1)

ROUTINE(fFlush, const_FFlush)
	LOAD_A(Z0, Z1)
	SINGLES($0x7f800000, Z2)
	SINGLES($0x80000000, Z3)
	VPTESTNMD Z2, Z0, K3
	VPTESTNMD Z2, Z1, K4
	VPANDD Z3, Z0, K3, Z0
	VPANDD Z3, Z1, K4, Z1
	STORE(Z0, Z1)

// A maximum or minimum is the second source, Go's first operand, where one is a
// NaN or both are zeros.
ROUTINE(fSat, const_FSat)
	LOAD_A(Z0, Z1)
	VPXORD Z2, Z2, Z2
	SINGLES($0x3f800000, Z3)
	VMAXPS Z2, Z0, Z0
	VMAXPS Z2, Z1, Z1
	VMINPS Z3, Z0, Z0
	VMINPS Z3, Z1, Z1
	STORE(Z0, Z1)

// Double precision

BINARY_DOUBLE(dAdd, const_DAdd, VADDPD)
BINARY_DOUBLE(dSub, const_DSub, VSUBPD)
BINARY_DOUBLE(dMul, const_DMul, VMULPD)
BINARY_DOUBLE(dDiv, const_DDiv, VDIVPD)

ROUTINE(dFma, const_DFma)
	DOUBLE_NAN
	PAIR(Op_A, Z0, Z1, Z2, Z3)
	PAIR(Op_B, Z4, Z5, Z6, Z7)
	PAIR(Op_C, Z8, Z9, Z10, Z11)
	VFMADD213PD Z8, Z4, Z0
	VFMADD213PD Z9, Z5, Z1
	VFMADD213PD Z10, Z6, Z2
	VFMADD213PD Z11, Z7, Z3
	UNPAIR(Z0, Z1, Z2, Z3)

ROUTINE(dSqrt, const_DSqrt)
	DOUBLE_NAN
	PAIR(Op_A, Z0, Z1, Z2, Z3)
	VSQRTPD Z0, Z0
	VSQRTPD Z1, Z1
	VSQRTPD Z2, Z2
	VSQRTPD Z3, Z3
	UNPAIR(Z0, Z1, Z2, Z3)

// Conversions

UNARY(s32ToF32, const_S32ToF32, VCVTDQ2PS)
UNARY(u32ToF32, const_U32ToF32, VCVTUDQ2PS)

// What is too large converts to the most negative integer, and so does a NaN.
ROUTINE(f32ToS32, const_F32ToS32)
	LOAD_A(Z0, Z1)
	SINGLES($0x4f000000, Z2) // 2^31
	TO_S32(Z0)
	TO_S32(Z1)
	STORE(Z0, Z1)

// What is too large converts to the largest integer.
ROUTINE(f32ToU32, const_F32ToU32)
	LOAD_A(Z0, Z1)
	VPXORD Z2, Z2, Z2
	VMAXPS Z2, Z0, Z0
	VMAXPS Z2, Z1, Z1
	VCVTTPS2UDQ Z0, Z0
	VCVTTPS2UDQ Z1, Z1
	STORE(Z0, Z1)
