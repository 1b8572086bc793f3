package validation

import (
	"bytes"
	"fmt"
)

// Parts are the generated parts of docs/validation/peers.md, in order. The command crosscheck writes them.
var Parts = []string{"launches", "trips", "experiments", "sensitivities"}

// Replace replaces the text between the begin and end lines of a part in a Markdown document.
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
