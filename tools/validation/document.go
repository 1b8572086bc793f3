package validation

import (
	"bytes"
	"fmt"
)

// Parts of docs/validation/peers.md that are made by the command crosscheck, in their
// order.
var Parts = []string{"launches", "trips", "experiments", "sensitivities"}

// Replace puts text in the place of what stands, in a Markdown document, between
// the lines that begin and end a part.
func Replace(doc []byte, part string, text []byte) ([]byte, error) {
	begin, end := []byte("<!-- "+part+": made by crosscheck -update -->\n"), []byte("<!-- end of "+part+" -->\n")
	_, from, ok := bytes.Cut(doc, begin)
	if !ok {
		return nil, fmt.Errorf("no line %q", bytes.TrimSpace(begin))
	}
	before := doc[:len(doc)-len(from)]
	_, after, ok := bytes.Cut(from, end)
	if !ok {
		return nil, fmt.Errorf("no line %q behind the beginning of the part", bytes.TrimSpace(end))
	}
	return bytes.Join([][]byte{before, text, end, after}, nil), nil
}
