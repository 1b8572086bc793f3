package query

import (
	"slices"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"
)

// OfSettings reports whether an expression is arithmetic on settings, independent of any run: it calls config,
// chipsms, storage of registers (whose size is a setting), and functions of numbers alone. It returns false for an
// invalid expression.
func OfSettings(code string) bool {
	tree, err := parser.Parse(code)
	if err != nil {
		return false
	}
	s := settings{}
	ast.Walk(&tree.Node, &s)
	return s.settings && !s.others
}

// settings records the functions called by an expression: of settings, and others.
type settings struct{ settings, others bool }

// Visit implements ast.Visitor.
func (s *settings) Visit(n *ast.Node) {
	c, ok := (*n).(*ast.CallNode)
	if !ok {
		return // functions of the language, such as map and max, are nodes of another type
	}
	name, ok := c.Callee.(*ast.IdentifierNode)
	switch {
	case ok && (name.Value == "config" || name.Value == "chipsms" || name.Value == "storage" && ofRegisters(c)):
		s.settings = true
	case !ok || !slices.Contains([]string{"kib", "name"}, name.Value):
		s.others = true
	}
}

// ofRegisters reports whether a call of storage is about registers.
func ofRegisters(c *ast.CallNode) bool {
	if len(c.Arguments) != 3 {
		return false
	}
	what, ok := c.Arguments[2].(*ast.StringNode)
	return ok && what.Value == "registers"
}
