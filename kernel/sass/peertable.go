package sass

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// peerVersion is a version of Accel-Sim used to judge traces.
type peerVersion struct {
	name string
	// binaries are the values of -binary version for which this version of Accel-Sim has a table of opcodes.
	binaries []int
	// uniform: the version accepts predicates and uniform registers as operands.
	uniform bool
	// unnumbered is the treatment of RZ and PT, names without a number.
	unnumbered Severity
}

var (
	// peerText reads .traceg and .xz. It is the newest commit of the public branch dev with all sources seen by the
	// project (gpu-simulator/trace-parser/trace_parser.cc, trace-driven/trace_driven.cc and ISA_Def).
	peerText = &peerVersion{name: "commit 73f9fac of 8 October 2024", binaries: []int{35, 60, 61, 70, 75, 80, 86},
		unnumbered: Misread}
	// peerTracez is the first version to read .tracez. Its table for 90 is from commit 052e2d4.
	peerTracez = &peerVersion{name: "at commit e1c2b67 (2.0)", binaries: append(slices.Clone(peerText.binaries), 90),
		uniform: true, unnumbered: Refused}
)

// PeerVersions names the versions of Accel-Sim used by Check.
func PeerVersions() string {
	return fmt.Sprintf("by Accel-Sim at %s for .traceg and .xz, and %s for .tracez", peerText.name, peerTracez.name)
}

// peerOf returns the version to read a file.
func peerOf(file string) *peerVersion {
	if isTracez(file) {
		return peerTracez
	}
	return peerText
}

// peerTable is the table of opcodes of a compute capability: the table of another one, with some opcodes added and
// some removed. Behind a slash, an opcode has its specialised unit.
type peerTable struct {
	binary, from int
	plus, minus  string
}

// peerTables are the tables of gpu-simulator/ISA_Def. Each stands behind the table it extends.
var peerTables = []peerTable{
	{binary: 70, plus: "FADD FADD32I FCHK " +
		"FFMA32I FFMA FMNMX FMUL FMUL32I FSEL FSET FSETP FSWZADD MUFU HADD2 HADD2_32I " +
		"HFMA2 HFMA2_32I HMUL2 HMUL2_32I HSET2 HSETP2 HMMA/3 DADD DFMA DMUL DSETP BMSK BREV FLO IABS IADD IADD3 " +
		"IADD32I IDP IDP4A IMAD IMMA IMNMX IMUL IMUL32I ISCADD ISCADD32I ISETP LEA LOP LOP3 LOP32I POPC SHF SHR " +
		"VABSDIFF VABSDIFF4 F2F F2I I2F I2I I2IP FRND MOV MOV32I PRMT SEL SGXT SHFL PLOP3 PSETP P2R R2P LD LDC LDG " +
		"LDL LDS ST STG STL STS MATCH QSPC ATOM ATOMS ATOMG RED CCTL CCTLL ERRBAR MEMBAR CCTLT EXIT B2R BAR CS2R " +
		"CSMTEST DEPBAR GETLMEMBASE LEPC NOP PMTRIG R2B S2R SETCTAID SETLMEMBASE VOTE VOTE_VTG " +
		"TEX/2 TLD/2 TLD4/2 TMML/2 TXD/2 TXQ/2 BMOV/1 BPT/1 BRA/1 BREAK/1 BRX/1 BSSY/1 BSYNC/1 CALL/1 JMP/1 JMX/1 " +
		"KILL/1 NANOSLEEP/1 RET/1 RPCMOV/1 RTT/1 WARPSYNC/1 YIELD/1"},
	{binary: 75, from: 70, plus: "BMMA/3 IMMA/3 KILL/3 BRXU/1 JMXU/1 F2FP LDSM MOVM SHL SUATOM SULD SURED SUST " +
		"R2UR/4 S2UR/4 " +
		"UBMSK/4 UBREV/4 UCLEA/4 UFLO/4 UIADD3/4 UIMAD/4 UISETP/4 ULDC/4 ULEA/4 ULOP/4 ULOP3/4 ULOP32I/4 " +
		"UMOV/4 UP2UR/4 UPLOP3/4 UPOPC/4 UPRMT/4 UPSETP/4 UR2UP/4 USEL/4 USGXT/4 USHF/4 USHL/4 USHR/4 VOTEU/4"},
	{binary: 80, from: 75, plus: "DMMA/3 F2IP HMNMX2 I2FP LDGDEPBAR LDGSTS REDUX/4 SUQUERY UF2FP/4"},
	{binary: 86, from: 80},
	{binary: 90, from: 80, plus: "ARRIVES CGAERRBAR ELECT/1 FENCE HGMMA QGMMA SYNCS UBLKCP UBLKPF UBLKRED " +
		"UCGABAR_ARV " +
		"UCGABAR_WAIT USETMAXREG UTMACCTL UTMACMDFLUSH UTMALDG UTMAPF UTMAREDG UTMASTG VIADD VIADDMNMX VIMNMX " +
		"VIMNMX3 " +
		"WARPGROUP"},
	// Before Volta no instruction uses a specialised unit.
	{binary: 60, from: 70, minus: "HADD2_32I HFMA2_32I HMMA HMUL2_32I", plus: "BFE BFI BRK CAL CONT CSET CSETP DMNMX " +
		"DSET FCMP ICMP IMADSP ISET JCAL PBK PCNT PEXIT PRET PSET RRO SHL SSY SYNC TEXS TLD4S TLDS VADD VMNMX XMAD " +
		"TEX TLD TLD4 TMML TXD TXQ BMOV BPT BRA BREAK BRX BSSY BSYNC CALL JMP JMX KILL NANOSLEEP RET RPCMOV RTT " +
		"WARPSYNC YIELD"},
	{binary: 61, from: 60},
	{binary: 35, plus: "FFMA FFMA32I FADD FADD32I FCMP FMUL FMUL32I FMNMX FSWZ FSET FSETP FCHK RRO MUFU DFMA DADD " +
		"DMUL " +
		"DMNMX DSET DSETP IMAD IMADSP IMUL IMUL32I IADD IADD32I ISUB ISCADD ISCADD32I ISAD IMNMX BFE BFI SHR SHL SHF " +
		"LOP LOP32I FLO ISET ISETP ICMP POPC F2F F2I I2F I2I MOV MOV32I SEL PRMT SHFL P2R R2P CSET CSETP PSET PSETP " +
		"TEX TLD TLD4 TXQ LDC LD LDG LDL LDS LDSLK ST STL STS STSCUL ATOM RED CCTL CCTLL MEMBAR SUCLAMP SUBFM SUEAU " +
		"SULDGA SUSTGA BRA BRX JMP JMX CAL JCAL RET BRK CONT SSY PBK PCNT PRET BPT EXIT NOP S2R B2R BAR VOTE"},
}

// peerOpcodes returns the specialised units of the opcodes known to Accel-Sim, 0 for none, by compute capability.
var peerOpcodes = sync.OnceValue(func() map[int]map[string]int {
	out := map[int]map[string]int{}
	for _, t := range peerTables {
		known := map[string]int{}
		maps.Copy(known, out[t.from])
		for _, name := range strings.Fields(t.minus) {
			delete(known, name)
		}
		for _, word := range strings.Fields(t.plus) {
			name, unit, _ := strings.Cut(word, "/")
			known[name], _ = strconv.Atoi(unit)
		}
		out[t.binary] = known
	}
	return out
})
