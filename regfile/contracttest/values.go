package contracttest

import (
	"kumiko/components/op"
	"kumiko/components/version"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// strides are differences of neighbouring lanes, for every class of values.
var strides = [...]uint32{0, 0, 1, 3, 300, 1 << 20}

// valued enters the classes of the values of an issued operation, if the design needs them. They follow from the
// tag alone.
func valued(values *version.Values, o *op.Op) {
	n := int(o.Inst.T.NDst)
	if values == nil || n == 0 || o.Exec == 0 {
		return
	}
	var classes [ir.NumDests]stream.Value
	for i := range n {
		var words [32]uint32
		h := scatter(o.Tag*7+uint32(i), 2*len(strides))
		for l := range words {
			words[l] = uint32(l) * strides[h/2]
		}
		words[31] += uint32(h % 2)
		classes[i] = stream.Classify(&words, len(words))
	}
	values.Issue(o, classes[:n])
}
