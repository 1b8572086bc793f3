package ir

// An mbarrier object (PTX ISA section 9.7.13.15) is 64 bits of shared memory with contents left open by the ISA.
// Here, from bit 0 on: 20 bits of pending arrivals, 20 of expected arrivals, 23 of the pending count of
// transactions, in two's complement, and the parity of the phase. The operand of an AtomArrive has, in the same
// places, the arrivals, the reduction of the arrivals expected in later phases, and the change of the count of
// transactions.
const (
	MbarrierMax     = 1<<20 - 1 // arrivals and transactions of a phase
	MbarrierDropBit = 20
	MbarrierTxBit   = 40
	mbarrierPhase   = 63
	mbarrierTxMask  = 1<<(mbarrierPhase-MbarrierTxBit) - 1
)

// MbarrierInit returns an object with a number of expected arrivals, in its first phase.
func MbarrierInit(count uint64) uint64 { return count | count<<MbarrierDropBit }

// MbarrierArrive returns an object after an operation on it. A phase with neither arrivals nor transactions pending
// is complete: the next one begins.
func MbarrierArrive(object, operand uint64) uint64 {
	pending := (object - operand) & MbarrierMax
	expected := (object>>MbarrierDropBit - operand>>MbarrierDropBit) & MbarrierMax
	tx := (object>>MbarrierTxBit + operand>>MbarrierTxBit) & mbarrierTxMask
	phase := object >> mbarrierPhase
	if pending == 0 && tx == 0 {
		phase, pending = phase^1, expected
	}
	return pending | expected<<MbarrierDropBit | tx<<MbarrierTxBit | phase<<mbarrierPhase
}

// MbarrierPending returns the number of pending arrivals of an object's phase.
func MbarrierPending(object uint64) int { return int(object & MbarrierMax) }

// MbarrierParity returns the parity of the phase of an object: 0 or 1.
func MbarrierParity(object uint64) uint64 { return object >> mbarrierPhase }

// MbarrierTransactions returns the number of pending transaction bytes of an object's phase.
func MbarrierTransactions(object uint64) int { return int(int64(object<<1) >> (MbarrierTxBit + 1)) }
