//go:build !amd64 || purego

package vector

// Available reports whether this machine can run sequences.
const Available = false

// Make returns an operation of the given code.
func Make(Code, Op) Op { panic("vector: not available") }

// Run executes a sequence, on rows for the lanes of lanes and on predicates for the lanes of exec.
func Run(ops *Op, rows *Row, preds *uint32, exec, lanes uint32) { panic("vector: not available") }

func Spaced(low, high *Row, step uint32) bool { panic("vector: not available") }

func Addresses(addr *[32]uint64, low, high *Row, offset uint64) { panic("vector: not available") }

func Regular(addr *[32]uint64, base, stride uint64, mask uint32) bool { panic("vector: not available") }

func Bounds(addr *[32]uint64, mask uint32) (lo, hi, or uint64) { panic("vector: not available") }

func Compress(list *uint64, addr *[32]uint64, mask uint32) { panic("vector: not available") }

func Gather(d *Row, data *byte, at uint64, addr *[32]uint64, mask uint32) {
	panic("vector: not available")
}

func Load(d *Row, data *byte, base, stride uint64, mask uint32) { panic("vector: not available") }

func Store(data *byte, base uint64, s *Row, mask uint32) { panic("vector: not available") }
