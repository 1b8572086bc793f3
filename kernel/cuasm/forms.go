package cuasm

import (
	"slices"
	"strings"
	"sync"
)

// forms is the grammar of instructions, an opcode in each line: its name, its operands, and behind a bar its
// possible suffixes. Opcodes of kernel/sass/opcode without a line can have any operands and suffixes.
//
// Operands:
//
//	D  a general register, written               P  a predicate
//	U  a uniform register, written               M  an address in brackets
//	R  a register, read                          C  a place in the constant bank
//	S  a register, a constant or a number        N  a number
//	B  a number of eight bits                    H  a shift or a number of places, 0 to 31
//	L  a label or an address of code             X  a name: SB0, CC
//	K  a convergence barrier, B0 to B15          W  a register, a convergence barrier or MACTIVE
//	V  a special register                        T  the dimensions of a texture
//	?  anything
//
// An operand in brackets may be absent. A name with $ stands for the suffixes of its line above. An instruction has
// at most one suffix of a line with an exclamation mark. Suffixes end with ... if the project does not know all of
// them.
//
// Some operands are required by a chip's assembler and always printed by nvdisasm, such as the PT of ISETP. They
// may be absent here if timing does not depend on them.
//
// Operands and suffixes are those of the instructions collected by CuAssembler from nvdisasm's output for sm_60 to
// sm_86 (cloudcores/CuAssembler, commit 96a9f72, CuAsm/InsAsmRepos), of maxas' SGEMM and of NVIDIA's list of the
// instruction sets (CUDA Binary Utilities, chapter 4).
const forms = `
$round!  RN RM RP RZ
$order!  F LT EQ LE GT NE GE NUM NAN LTU EQU LEU GTU NEU GEU T SFT
$logic!  AND OR XOR
$bits!   8 U8 S8 16 U16 S16 32 U32 S32 64 U64 S64
$data!   8 U8 S8 16 U16 S16 32 U32 S32 64 U64 S64 128
$scope   CONSTANT STRONG WEAK MMIO CTA SM GPU SYS VC PRIVATE
$keep    CI CG CV CS CA CB WT WB EF EL EU LU LA NA U ZFILL BYPASS LTC64B LTC128B LTC256B
$atomic  ADD MIN MAX INC DEC AND OR XOR EXCH CAS CAST SPIN SAFEADD POPC ARRIVE
$type    F16 F16x2 F32 F64 BF16 BF16_V2 BF16x2 TF32 S4 U4 S8 U8 S16 U16 S32 U32 S64 U64 E4M3 E5M2 E8 E6M2
$whole   CEIL FLOOR TRUNC ROUND PASS

FADD      D R S               | $round FTZ SAT
FADD32I   D R N               | FTZ
FMUL      D R S               | $round FTZ FMZ SAT D2 D4 D8 M2 M4 M8
FMUL32I   D R N               | FTZ FMZ SAT
FFMA      D R S S             | $round FTZ FMZ SAT
FFMA32I   D R N R             | FTZ FMZ SAT
FMNMX     D R S [P]           | FTZ NAN XORSIGN
FSEL      D R S [P]           | FTZ
FSET      D R S [P]           | $order $logic BF FTZ
FSETP     P [P] R S [P]       | $order $logic FTZ
FCHK      P R S               | DIVIDE
FCMP      D R S R             | $order FTZ
MUFU      D S                 | COS SIN EX2 LG2 RCP RSQ RCP64H RSQ64H SQRT TANH F16 FTZ SAT
RRO       D S                 | EX2 SINCOS FTZ

HADD2     D R S [N]           | F32 FTZ SAT BF16_V2 BF16
HMUL2     D R S [N]           | F32 FTZ FMZ SAT BF16_V2 BF16
HFMA2     D R S S [?]         | F32 FTZ FMZ SAT BF16_V2 BF16 MMA RELU
HMNMX2    D R S [P]           | FTZ NAN BF16_V2 XORSIGN
HSET2     D R S [N] [P]       | $order $logic BF FTZ BF16_V2
HSETP2    P [P] R S [N] [P]   | $order $logic FTZ H_AND BF16_V2
HMMA      D R R R [?] [?]     | $type 884 1684 1688 16816 16832 SP STEP0 STEP1 STEP2 STEP3
IMMA      D R R R [?] [?]     | $type 8816 8832 16816 16832 16864 SAT SP
BMMA      D R R R [?] [?]     | 88128 168128 168256 AND XOR POPC
DMMA      D R R R             | $round 884 1684 1688 16816

DADD      D R S               | $round
DMUL      D R S               | $round
DFMA      D R S S             | $round
DMNMX     D R S [P]           |
DSET      D R S [P]           | $order $logic BF
DSETP     P [P] R S [P]       | $order $logic MAX MIN

IADD      D R S               | X PO SAT 64 S64 U64
IADD3     D [P] [P] R S [S] [P] [P] | X RS LS 64 S64 U64
IADD32I   D R N               | X PO SAT
ISUB      D R S               | X SAT
ISCADD    D R S H             |
ISCADD32I D R N H             |
IABS      D S                 | 64
ICMP      D R S R             | $order U32
IMNMX     D R S [P]           | U32 XLO XMED XHI U64 S64
IMUL      D R S               | HI U32 S32 X
IMUL32I   D R N               | HI U32 S32
IMAD      D [P] R S S [P]     | HI WIDE LO U32 S32 X MOV IADD SHL SHR PO SAT
XMAD      D R S S             | MRG PSL CBCC CHI CLO CSFU X S16 U16
IDP       D R S S             | 2A 4A LO HI S8 U8 S16 U16 SAT
LEA       [P] D [P] S S [S] [H] [P] | HI LO X SX32 U32 64
BFE       D R S               | U32 BREV
BFI       D R S S             |
BMSK      D R S               | W C
BREV      D S                 |
FLO       D [P] S             | SH U32 S32
POPC      D S [S]             |
SGXT      D R S               | U32 W C
LOP       [P] D R S           | $logic PASS_B NZ Z X
LOP3      [P] D R S S [B] [P] | LUT NZ Z X $logic
LOP32I    D R N               | $logic X PASS_B
SHL       D R S               | W X U32 S32
SHR       D R S               | W X U32 S32 BREV
SHF       D R S S             | L R HI W C U32 S32 U64 S64
ISET      D R S [P]           | $order $logic U32 X BF
ISETP     P [P] R S [P] [P]   | $order $logic U32 S32 X EX 64 U64 S64
PRMT      D R S S             | IDX F4E B4E RC8 ECL ECR RC16
SEL       D R S [P]           | 64

F2F       D S                 | $round $type $whole FTZ SAT
F2I       D S                 | $type $whole FTZ NTZ
I2F       D S                 | $round $type
I2I       D S                 | $type SAT
FRND      D S                 | $type $whole FTZ
I2FP      D S                 | $round $type
F2FP      D S S [S]           | ...
F2IP      D R S S             | ...
I2IP      D R S S             | ...

MOV       D S [N]             | 64
MOV32I    D N [N]             |
S2R       D V                 |
CS2R      D V                 | 32 64
P2R       D X [R] S           | B0 B1 B2 B3
R2P       X R [S]             | B0 B1 B2 B3
SHFL      [P] D R S [S]       | IDX UP DOWN BFLY
VOTE      [D] P P             | ALL ANY EQ
MATCH     [P] D R             | ANY ALL U64 64
PSETP     P [P] P P [P]       | AND OR XOR
PLOP3     P [P] P P P B [B]   | LUT
PSET      D P P [P]           | AND OR XOR BF
CSETP     P [P] X [P]         | $order $logic
FSWZADD   D R R X             | $round FTZ NDV
MOVM      D R                 | ...
LEPC      D                   |

VADD      D R S [S]           | ...
VMNMX     D R S [S]           | ...
VSHR      D R S [S]           | ...
VABSDIFF4 D R S [S]           | ...

TEX       D [D] R [R] [S] [N] T [B] | ...
TXD       D [D] R [R] [S] [N] T [B] | ...
TLD       D [D] R [R] [S] [N] T [B] | ...
TLD4      D [D] R [R] [S] [N] T [B] | ...
TLD4S     D D R R N [X]       | ...
TEXS      D D R [R] N T X     | ...
TLDS      D D R [R] N T X     | ...
TXQ       D [D] R X [S] [N] [B] | ...
SULD      D M S [N]           | ...
SUST      M R S [N]           | ...
QSPC      [P] D M             | E S G L

LD        [P] D M [P]         | E $data $scope $keep
LDG       [P] D M [P]         | E $data $scope $keep
LDL       D M                 | $data $keep
LDS       D M                 | $data U
LDSM      D M                 | 16 8 M88 MT88 M816 2 4 U8 S8 U4 S4
LDC       D C                 | E $bits IL IS ISL
ST        M R [P]             | E $data $scope $keep
STG       M R [P]             | E $data $scope $keep
STL       M R                 | $data $keep
STS       M R                 | $data
STSM      M R                 | 16 8 M88 MT88 M816 2 4
LDGSTS    M M [P]             | E $data $scope $keep
ATOM      [P] D M [S] [S]     | E $data $scope $keep $atomic $type FTZ RN
ATOMG     [P] D M [S] [S]     | E $data $scope $keep $atomic $type FTZ RN
ATOMS     [P] D M [S] [S]     | $data $atomic $type FTZ RN
RED       M S                 | E $data $scope $keep $atomic $type FTZ RN

BRA       [?] L               | U DIV CONV INC DEC LMT
BRX       R [L]               |
BRXU      R [L]               |
JMP       [?] L               | U LMT
JMX       R [L]               |
JMXU      R [L]               |
CAL       L                   | NOINC
JCAL      L                   | NOINC
CALL      [R] [L]             | ABS REL NOINC
RET       [R] [L]             | ABS REL NODEC
PRET      L                   | NOINC
SSY       L                   |
PBK       L                   |
PCNT      L                   |
BSSY      K L                 | RELIABLE RECONVERGENT
BSYNC     K                   | RELIABLE RECONVERGENT
BREAK     [P] K               |
BRK       [X]                 |
SYNC      [X]                 |
CONT      [X]                 |
EXIT      [?]                 | KEEPREFCOUNT PREEMPTED NO_ATEXIT
BAR       [S] [S] [P]         | ARV SYNC RED SYNCALL SCAN AND OR POPC DEFER_BLOCKING
NOP       [X]                 | TRIG
MEMBAR                        | ALL SC CTA GL GPU SYS VC IVALLD
ERRBAR                        |
LDGDEPBAR                     |
YIELD     [?]                 |
WARPSYNC  [S] [L]             | ALL COLLECTIVE EXCLUSIVE
NANOSLEEP S                   | WARP
ARRIVES   M                   | LDGSTSBAR 64
BMOV      W W                 | 32 64 CLEAR PQUAD
B2R       D [?]               | RESULT BAR WARP
BPT       [N]                 | ...
CCTL      [M]                 | ...
RAM                           |
SAM                           |

UIADD3    U [P] [P] R S [S] [P] [P] | X 64
UIMAD     U [P] R S S [P]     | HI WIDE U32 S32 X MOV SHL IADD
UISETP    P [P] R S [P] [P]   | $order $logic U32 S32 X EX 64 U64 S64
ULDC      U C                 | $bits
ULOP3     [P] U R S S B [P]   | LUT
UMOV      U S                 | 64
USEL      U R S [P]           | 64
USHF      U R S S             | L R HI W C U32 S32 U64 S64
ULEA      U [P] S S [S] [H] [P] | HI LO X SX32 U32
UPRMT     U R S S             | ...
USGXT     U R S               | U32 W C
UBREV     U S                 |
UFLO      U S                 | SH U32 S32
UPOPC     U S                 |
S2UR      U V                 |
R2UR      [P] U R             | ...
UP2UR     U X [R] S           | B0 B1 B2 B3
REDUX     U R                 | SUM MIN MAX S32 U32 AND OR XOR
VOTEU     [U] P P             | ALL ANY EQ
UPLOP3    P [P] P P P B [B]   | LUT
`

// special are the special registers of the sources of the grammar and of maxas (NervanaSystems/maxas,
// lib/MaxAs/MaxAsGrammar.pm, commit 0088275).
var special = strings.Fields(`SRZ SR_CLOCKHI SR_CLOCKLO SR_CTAID.X SR_CTAID.Y SR_CTAID.Z SR_EQMASK SR_GEMASK
	SR_GLOBALTIMERHI SR_GLOBALTIMERLO SR_GTMASK SR_LANEID SR_LEMASK SR_LTMASK SR_PM0 SR_PM1 SR_PM2 SR_PM3
	SR_TID.X SR_TID.Y SR_TID.Z SR_VIRTCFG SR_VIRTID SR_VIRTUALSMID`)

// dimensions are the dimensions of textures in the sources of the grammar.
var dimensions = strings.Fields("1D 2D 3D CUBE ARRAY_1D ARRAY_2D ARRAY_CUBE")

// form is a line of the grammar.
type form struct {
	operands []slot
	text     string // of the operands, as in the grammar
	suffixes []string
	once     [][]string // groups of mutually exclusive suffixes
	open     bool       // other suffixes may exist
}

// slot is an operand of a form.
type slot struct {
	kind   byte
	absent bool // may be
}

// grammar returns the forms by their opcodes.
var grammar = sync.OnceValue(func() map[string]*form { return parseForms(forms) })

// parseForms reads a text such as forms.
func parseForms(text string) map[string]*form {
	groups, once, out := map[string][]string{}, map[string]bool{}, map[string]*form{}
	expand := func(words []string) (list []string) {
		for _, w := range words {
			if g, ok := groups[w]; ok {
				list = append(list, g...)
			} else {
				list = append(list, w)
			}
		}
		return list
	}
	for line := range strings.Lines(text) {
		head, tail, _ := strings.Cut(line, "|")
		words := strings.Fields(head)
		switch {
		case len(words) == 0:
		case words[0][0] == '$':
			name, single := strings.CutSuffix(words[0], "!")
			groups[name], once[name] = words[1:], single
		default:
			f := &form{text: strings.Join(words[1:], " "), suffixes: expand(strings.Fields(tail))}
			for _, w := range strings.Fields(tail) {
				if once[w] {
					f.once = append(f.once, groups[w])
				}
			}
			if i := slices.Index(f.suffixes, "..."); i >= 0 {
				f.suffixes, f.open = slices.Delete(f.suffixes, i, i+1), true
			}
			for _, w := range words[1:] {
				kind := strings.Trim(w, "[]")[0]
				f.operands = append(f.operands, slot{kind, w[0] == '['})
			}
			out[words[0]] = f
		}
	}
	return out
}
