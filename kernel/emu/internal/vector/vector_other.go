//go:build !amd64

package vector

// Available reports whether this machine can run sequences.
const Available = false

// Make is an operation of the given code.
func Make(Code, Op) Op { panic("vector: not available") }

// Run executes a sequence, on rows for the given lanes and on predicates for
// those of exec.
func Run(ops *Op, rows *Row, preds *uint32, exec, lanes uint32) { panic("vector: not available") }
