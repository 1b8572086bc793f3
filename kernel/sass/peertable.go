package sass

import "strings"

// Opcodes that Accel-Sim sends to its specialised units, by the units' numbers.
const (
	branchOpcodes = "BMOV BPT BRA BREAK BRX BRXU BSSY BSYNC CALL JMP JMX JMXU KILL NANOSLEEP RET RPCMOV RTT WARPSYNC " +
		"YIELD ELECT"
	textureOpcodes = "TEX TLD TLD4 TMML TXD TXQ"
	matrixOpcodes  = "HMMA DMMA BMMA"
	uniformOpcodes = "R2UR REDUX S2UR UBMSK UBREV UCLEA UF2FP UFLO UIADD3 UIMAD UISETP ULDC ULEA ULOP ULOP3 ULOP32I " +
		"UMOV UP2UR UPLOP3 UPOPC UPRMT UPSETP UR2UP USEL USGXT USHF USHL USHR VOTEU"
)

// voltaOpcodes are those of Accel-Sim's table for compute capability 7.0, in which the
// traces that Kumiko writes are looked up, but for those above.
const voltaOpcodes = "FADD FADD32I FCHK FFMA32I FFMA FMNMX FMUL FMUL32I FSEL FSET FSETP FSWZADD MUFU HADD2 HADD2_32I " +
	"HFMA2 HFMA2_32I HMUL2 HMUL2_32I HSET2 HSETP2 DADD DFMA DMUL DSETP BMSK BREV FLO IABS IADD IADD3 IADD32I IDP " +
	"IDP4A IMAD IMMA IMNMX IMUL IMUL32I ISCADD ISCADD32I ISETP LEA LOP LOP3 LOP32I POPC SHF SHR VABSDIFF VABSDIFF4 " +
	"F2F F2I I2F I2I I2IP FRND MOV MOV32I PRMT SEL SGXT SHFL PLOP3 PSETP P2R R2P LD LDC LDG LDL LDS ST STG STL STS " +
	"MATCH QSPC ATOM ATOMS ATOMG RED CCTL CCTLL ERRBAR MEMBAR CCTLT EXIT B2R BAR CS2R CSMTEST DEPBAR GETLMEMBASE " +
	"LEPC " +
	"NOP PMTRIG R2B S2R SETCTAID SETLMEMBASE VOTE VOTE_VTG HMMA TEX TLD TLD4 TMML TXD TXQ BMOV BPT BRA BREAK BRX " +
	"BSSY " +
	"BSYNC CALL JMP JMX KILL NANOSLEEP RET RPCMOV RTT WARPSYNC YIELD"

// peerOpcodes are the opcodes that Accel-Sim knows for a compute capability, nil where that
// is not written down here.
func peerOpcodes(binary int) map[string]bool {
	if binary != binaryVersion {
		return nil
	}
	known := map[string]bool{}
	for _, name := range strings.Fields(voltaOpcodes) {
		known[name] = true
	}
	return known
}
