package spec

// Bounds of numbers that no hardware bounds: far beyond any that is built, and
// small enough that what is computed from a few of them neither overflows nor
// takes all memory.
const (
	MostQueue  = 1 << 16 // messages that a queue holds
	MostCycles = 1 << 16 // a latency
	MostBytes  = 1 << 30 // the width of a path, or the size of a piece of memory
)

// InRange is an *Error unless low <= v <= high. Of several, cmp.Or is the first.
func InRange(key string, v, low, high int) error {
	if v < low || v > high {
		return Errorf(key, v, "%d to %d", low, high)
	}
	return nil
}
