// Registers while a sequence runs:
//   R8       the Op
//   DI, SI   the rows and the predicates
//   R12      the lanes for which predicates are written
//   K1, K2   the lanes, lower and upper half, for which rows are NOT written
//   DX       t, the result of a comparison, for the Op behind it
//   Z31      0x7fffffff in every lane
// All others are free in every routine.

// NEXT goes on with the Op behind this one.
#define NEXT \
	ADDQ $Op__size, R8; \
	MOVQ Op_routine(R8), AX; \
	JMP  AX

// ROUTINE begins the routine of an operation and puts it into the table.
#define ROUTINE(name, code) \
	DATA table<>+(8*code)(SB)/8, $name<>(SB); \
	TEXT name<>(SB), NOSPLIT|NOFRAME, $0-0

#define LOAD_A(lo, hi) \
	MOVL Op_A(R8), BX; \
	VMOVDQU32 (DI)(BX*1), lo; \
	VMOVDQU32 64(DI)(BX*1), hi

#define LOAD_B(lo, hi) \
	MOVL Op_B(R8), CX; \
	VMOVDQU32 (DI)(CX*1), lo; \
	VMOVDQU32 64(DI)(CX*1), hi

#define LOAD_C(lo, hi) \
	MOVL Op_C(R8), R9; \
	VMOVDQU32 (DI)(R9*1), lo; \
	VMOVDQU32 64(DI)(R9*1), hi

// KEEP writes two registers to the row at an offset from R10. The lanes that are
// not to be written are read and written back: the processor forwards a whole
// store to the load of the next Op, a masked one it does not.
#define KEEP(at, lo, hi) \
	VPBLENDMD at(R10), lo, K1, lo; \
	VPBLENDMD 64+at(R10), hi, K2, hi; \
	VMOVDQU32 lo, at(R10); \
	VMOVDQU32 hi, 64+at(R10)

// STORE writes the destination row and goes on.
#define STORE(lo, hi) \
	MOVL Op_D(R8), R10; \
	ADDQ DI, R10; \
	KEEP(0, lo, hi); \
	NEXT

// STORE_PAIR writes two rows and goes on.
#define STORE_PAIR(lo, hi, lo1, hi1) \
	MOVL Op_D(R8), R10; \
	ADDQ DI, R10; \
	KEEP(0, lo, hi); \
	KEEP(128, lo1, hi1); \
	NEXT

// LANES makes a mask of lanes of two mask registers.
#define LANES(lo, hi, r, tmp) \
	KMOVW lo, r; \
	KMOVW hi, tmp; \
	SHLL  $16, tmp; \
	ORL   tmp, r

// MASKS makes two mask registers of the predicate at the offset in a field, combined
// with a number; it uses AX and R9.
#define MASKS(field, inv, lo, hi) \
	MOVL  field(R8), R9; \
	MOVL  (SI)(R9*1), AX; \
	XORL  inv(R8), AX; \
	KMOVW AX, lo; \
	SHRL  $16, AX; \
	KMOVW AX, hi

// WRITE_PRED writes the lanes in r to the predicate at the offset in a field.
#define WRITE_PRED(field, r) \
	MOVL field(R8), R9; \
	MOVL (SI)(R9*1), AX; \
	XORL AX, r; \
	ANDL R12, r; \
	XORL AX, r; \
	MOVL r, (SI)(R9*1)

// CANON makes every NaN 0x7fffffff.
#define CANON(z) \
	VCMPPS $3, z, z, K3; \
	VMOVDQA32 Z31, K3, z

#define UNARY(name, code, ins) \
ROUTINE(name, code); \
	MOVL Op_A(R8), BX; \
	ins (DI)(BX*1), Z0; \
	ins 64(DI)(BX*1), Z1; \
	STORE(Z0, Z1)

// BINARY is an operation d = a ins b.
#define BINARY(name, code, ins) \
ROUTINE(name, code); \
	LOAD_A(Z0, Z1); \
	MOVL Op_B(R8), CX; \
	ins (DI)(CX*1), Z0, Z0; \
	ins 64(DI)(CX*1), Z1, Z1; \
	STORE(Z0, Z1)

#define BINARY_FLOAT(name, code, ins) \
ROUTINE(name, code); \
	LOAD_A(Z0, Z1); \
	MOVL Op_B(R8), CX; \
	ins (DI)(CX*1), Z0, Z0; \
	ins 64(DI)(CX*1), Z1, Z1; \
	CANON(Z0); \
	CANON(Z1); \
	STORE(Z0, Z1)

// COMPARE leaves the lanes for which a comparison holds in DX.
#define COMPARE(name, code, ins, how) \
ROUTINE(name, code); \
	LOAD_A(Z0, Z1); \
	MOVL Op_B(R8), CX; \
	ins how, (DI)(CX*1), Z0, K3; \
	ins how, 64(DI)(CX*1), Z1, K4; \
	LANES(K3, K4, DX, BX); \
	NEXT

// PRODUCT gives the low words of the 64-bit products of Z0 and Z2 in l and the
// high ones in h; it uses Z0, Z2 and the registers t and u. K5 is 0xaaaa.
#define PRODUCT(ins, x, y, l, h, t, u) \
	ins       y, x, t; \
	VPSRLQ    $32, x, x; \
	VPSRLQ    $32, y, y; \
	ins       y, x, u; \
	VPSLLQ    $32, u, l; \
	VPBLENDMD l, t, K5, l; \
	VPSRLQ    $32, t, h; \
	VPBLENDMD u, h, K5, h

#define ODD_LANES \
	MOVL $0xaaaa, AX; \
	KMOVW AX, K5

// PRODUCTS multiplies a and b: low words to Z4 and Z5, high ones to Z6 and Z7.
#define PRODUCTS(ins) \
	ODD_LANES; \
	LOAD_A(Z0, Z1); \
	LOAD_B(Z2, Z3); \
	PRODUCT(ins, Z0, Z2, Z4, Z6, Z8, Z9); \
	PRODUCT(ins, Z1, Z3, Z5, Z7, Z8, Z9)

#define ALL_ONES(z) \
	VPTERNLOGD $0xff, z, z, z

// PAIR loads a row and the one behind it as doubles: the lanes of t in the order
// that UNPAIR undoes.
#define PAIR(field, a, b, c, d) \
	MOVL field(R8), BX; \
	VMOVDQU32 (DI)(BX*1), Z20; \
	VMOVDQU32 64(DI)(BX*1), Z21; \
	VMOVDQU32 128(DI)(BX*1), Z22; \
	VMOVDQU32 192(DI)(BX*1), Z23; \
	VPUNPCKLDQ Z22, Z20, a; \
	VPUNPCKHDQ Z22, Z20, b; \
	VPUNPCKLDQ Z23, Z21, c; \
	VPUNPCKHDQ Z23, Z21, d

// UNPAIR stores doubles with their NaNs made canonical.
#define UNPAIR(a, b, c, d) \
	CANON_DOUBLE(a); \
	CANON_DOUBLE(b); \
	CANON_DOUBLE(c); \
	CANON_DOUBLE(d); \
	VSHUFPS $0x88, b, a, Z20; \
	VSHUFPS $0xdd, b, a, Z22; \
	VSHUFPS $0x88, d, c, Z21; \
	VSHUFPS $0xdd, d, c, Z23; \
	STORE_PAIR(Z20, Z21, Z22, Z23)

#define CANON_DOUBLE(z) \
	VCMPPD $3, z, z, K3; \
	VMOVDQA64 Z29, K3, z

// DOUBLE_NAN puts the canonical NaN into Z29.
#define DOUBLE_NAN \
	MOVQ $0x7ff8000000000000, AX; \
	VPBROADCASTQ AX, Z29

#define BINARY_DOUBLE(name, code, ins) \
ROUTINE(name, code); \
	DOUBLE_NAN; \
	PAIR(Op_A, Z0, Z1, Z2, Z3); \
	PAIR(Op_B, Z4, Z5, Z6, Z7); \
	ins Z4, Z0, Z0; \
	ins Z5, Z1, Z1; \
	ins Z6, Z2, Z2; \
	ins Z7, Z3, Z3; \
	UNPAIR(Z0, Z1, Z2, Z3)

// ORDER maps singles to integers that are ordered alike, -0 before +0, and back.
#define ORDER(z, t) \
	VPSRAD $31, z, t; \
	VPSRLD $1, t, t; \
	VPXORD t, z, z

// EXTREME is a minimum or maximum of singles by their integers.
#define EXTREME(x, y, ins, t, u) \
	VCMPPS    $3, x, x, K3; \
	VCMPPS    $3, y, y, K4; \
	KANDW     K3, K4, K5; \
	VMOVDQA32 x, t; \
	VMOVDQA32 y, u; \
	ORDER(t, Z20); \
	ORDER(u, Z20); \
	ins       u, t, t; \
	ORDER(t, Z20); \
	VMOVDQA32 y, K3, t; \
	VMOVDQA32 x, K4, t; \
	VMOVDQA32 Z31, K5, t

#define EXTREMES(name, code, ins) \
ROUTINE(name, code); \
	LOAD_A(Z0, Z1); \
	LOAD_B(Z2, Z3); \
	EXTREME(Z0, Z2, ins, Z4, Z6); \
	EXTREME(Z1, Z3, ins, Z5, Z7); \
	STORE(Z4, Z5)

// SINGLES is a number in every lane.
#define SINGLES(bits, z) \
	MOVL bits, AX; \
	VPBROADCASTD AX, z

// FUNNEL loads a, b and c, at most 32, to Z0 to Z5, and 32 - c to Z6 and Z7.
#define FUNNEL \
	LOAD_A(Z0, Z1); \
	LOAD_B(Z2, Z3); \
	LOAD_C(Z4, Z5); \
	SINGLES($32, Z8); \
	VPMINUD Z8, Z4, Z4; \
	VPMINUD Z8, Z5, Z5; \
	VPSUBD Z4, Z8, Z6; \
	VPSUBD Z5, Z8, Z7

#define ADD_AB \
	LOAD_A(Z2, Z3); \
	MOVL Op_B(R8), CX; \
	VPADDD (DI)(CX*1), Z2, Z0; \
	VPADDD 64(DI)(CX*1), Z3, Z1; \
	VPCMPUD $1, Z2, Z0, K5; \
	VPCMPUD $1, Z3, Z1, K6

// ADD_CARRIES adds those that come in: another one goes out where the sum was all ones.
#define ADD_CARRIES \
	ALL_ONES(Z30); \
	VPCMPUD $0, Z30, Z0, K3, K7; \
	KORW K7, K5, K5; \
	VPCMPUD $0, Z30, Z1, K4, K7; \
	KORW K7, K6, K6; \
	VPSUBD Z30, Z0, K3, Z0; \
	VPSUBD Z30, Z1, K4, Z1

#define SUB_AB \
	LOAD_A(Z2, Z3); \
	MOVL Op_B(R8), CX; \
	VPSUBD (DI)(CX*1), Z2, Z0; \
	VPSUBD 64(DI)(CX*1), Z3, Z1; \
	VPCMPUD $6, Z2, Z0, K5; \
	VPCMPUD $6, Z3, Z1, K6

// SUB_BORROWS subtracts those that come in: another one goes out where the difference
// was zero.
#define SUB_BORROWS \
	ALL_ONES(Z30); \
	VPTESTNMD Z0, Z0, K3, K7; \
	KORW K7, K5, K5; \
	VPTESTNMD Z1, Z1, K4, K7; \
	KORW K7, K6, K6; \
	VPADDD Z30, Z0, K3, Z0; \
	VPADDD Z30, Z1, K4, Z1

#define CARRIES_OUT \
	LANES(K5, K6, DX, BX); \
	WRITE_PRED(Op_Y, DX)

// BORROWS_OUT is CARRIES_OUT of a subtraction, whose carry is the complement of the borrow.
#define BORROWS_OUT \
	LANES(K5, K6, DX, BX); \
	NOTL DX; \
	WRITE_PRED(Op_Y, DX)

// ADD_PAIR_C adds two rows to the products in Z4 to Z7.
#define ADD_PAIR_C \
	ALL_ONES(Z30); \
	LOAD_C(Z0, Z1); \
	VPADDD Z0, Z4, Z4; \
	VPADDD Z1, Z5, Z5; \
	VPCMPUD $1, Z0, Z4, K3; \
	VPCMPUD $1, Z1, Z5, K4; \
	VPADDD 128(DI)(R9*1), Z6, Z6; \
	VPADDD 192(DI)(R9*1), Z7, Z7; \
	VPSUBD Z30, Z6, K3, Z6; \
	VPSUBD Z30, Z7, K4, Z7

// TWO_PREDS loads the sources of an operation on predicates to DX and AX.
#define TWO_PREDS \
	MOVL Op_A(R8), BX; \
	MOVL (SI)(BX*1), DX; \
	XORL Op_X(R8), DX; \
	MOVL Op_B(R8), BX; \
	MOVL (SI)(BX*1), AX; \
	XORL Op_Y(R8), AX

// PUT_COMBINED writes t and its complement, both combined with a predicate.
#define PUT_COMBINED(ins) \
	MOVL DX, CX; \
	NOTL CX; \
	MOVL Op_C(R8), R9; \
	MOVL (SI)(R9*1), AX; \
	XORL Op_X(R8), AX; \
	ins AX, DX; \
	ins AX, CX; \
	WRITE_PRED(Op_A, DX); \
	WRITE_PRED(Op_B, CX); \
	NEXT

// TO_S32 converts singles. Z2 is 2^31.
#define TO_S32(z) \
	VCMPPS $0x1d, Z2, z, K3; \
	VCMPPS $0x07, z, z, K4; \
	VCVTTPS2DQ z, z; \
	VMOVDQA32 Z31, K3, z; \
	VMOVDQA32.Z z, K4, z
