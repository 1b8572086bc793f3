package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A mutant is one change of one operator.
type mutant struct {
	id       int
	file     string // from the module's root
	line     int    // 1-based
	column   int    // 1-based, in bytes
	function string // the enclosing function; empty outside functions
	before   string // the expression as it stands, in one line
	kind     string // negation, boundary, arithmetic, increment, sign
	after    string // the replacing operator
}

func (m mutant) String() string {
	return fmt.Sprintf("%s:%d:%d: %s: %s, %s becomes %s", m.file, m.line, m.column, m.function, m.kind, m.before,
		m.after)
}

// boundaries maps an operator to its replacement by a boundary mutant.
var boundaries = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
}

// negations maps an operator to its replacement by a negation mutant.
var negations = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR,
}

// arithmetics maps an operator to its replacement by an arithmetic mutant.
var arithmetics = map[token.Token]token.Token{
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.MUL,
}

// helpers maps an operator to the function replacing it (switchFile).
var helpers = map[token.Token]string{
	token.LSS: "mutantLess", token.LEQ: "mutantLessEqual",
	token.GTR: "mutantGreater", token.GEQ: "mutantGreaterEqual",
	token.ADD: "mutantAdd", token.SUB: "mutantSub",
	token.MUL: "mutantMul", token.QUO: "mutantQuo", token.REM: "mutantRem",
}

// A rewriter finds the mutants of one package. It edits the package's files so that each mutant can be switched on
// when the tests run.
type rewriter struct {
	pkg     *packages.Package
	root    string
	mutants []mutant
	refused map[string]bool // lines refused by the compiler in rewritten form, by position

	source   []byte
	file     string
	function string
	depth    int
	edits    []edit
}

// scan rewrites one file.
func (r *rewriter) scan(tree *ast.File, name string, source []byte) []byte {
	r.source, r.file, r.edits = source, strings.TrimPrefix(name, r.root+"/"), nil
	for _, d := range tree.Decls {
		r.function, r.depth = "", 0
		if f, ok := d.(*ast.FuncDecl); ok {
			r.function = functionName(f)
		}
		if g, ok := d.(*ast.GenDecl); ok && g.Tok != token.VAR {
			continue // constants and types
		}
		r.walk(d)
	}
	return apply(source, r.edits)
}

func functionName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	t := f.Recv.List[0].Type
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	if x, ok := t.(*ast.IndexExpr); ok {
		t = x.X
	}
	if x, ok := t.(*ast.IndexListExpr); ok {
		t = x.X
	}
	return fmt.Sprintf("%s.%s", t, f.Name.Name)
}

// walk visits n and its descendants. The depth orders edits at the same offset: an expression's edits enclose those
// of its operands.
func (r *rewriter) walk(n ast.Node) {
	ast.Inspect(n, func(c ast.Node) bool {
		if c == nil {
			r.depth--
			return false
		}
		r.depth++
		switch c := c.(type) {
		case *ast.GenDecl:
			if c.Tok != token.VAR {
				r.depth--
				return false
			}
		case *ast.ArrayType:
			r.depth--
			return false // a length is a constant
		case *ast.BinaryExpr:
			r.binary(c)
		case *ast.UnaryExpr:
			r.unary(c)
		case *ast.IncDecStmt:
			r.increment(c)
		}
		return true
	})
}

func (r *rewriter) binary(e *ast.BinaryExpr) {
	t := r.pkg.TypesInfo.Types[e]
	if t.Value != nil {
		return
	}
	switch e.Op {
	case token.EQL, token.NEQ:
		if id, ok := r.add(e, e.OpPos, "negation", negations[e.Op].String()); ok {
			r.around(e, fmt.Sprintf("(mutantOn(%d) != (", id), "))")
		}
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		if !plainBool(t.Type) {
			return
		}
		if id, ok := r.add(e, e.OpPos, "negation", negations[e.Op].String()); ok {
			bound, _ := r.add(e, e.OpPos, "boundary", boundaries[e.Op].String())
			r.call(e, fmt.Sprintf("%s(%d, %d, ", helpers[e.Op], id, bound))
		}
	case token.ADD, token.SUB, token.MUL, token.QUO, token.REM:
		if !number(t.Type) {
			return
		}
		if id, ok := r.add(e, e.OpPos, "arithmetic", arithmetics[e.Op].String()); ok {
			r.call(e, fmt.Sprintf("%s%s(%d, ", helpers[e.Op], typeArgument(t.Type), id))
		}
	}
}

func (r *rewriter) unary(e *ast.UnaryExpr) {
	t := r.pkg.TypesInfo.Types[e].Type
	if e.Op != token.SUB || !number(t) {
		return
	}
	if b, ok := t.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
		return
	}
	if id, ok := r.add(e, e.OpPos, "sign", "+"); ok {
		r.open(e.OpPos, 1, fmt.Sprintf("mutantNeg%s(%d, ", typeArgument(t), id))
		r.close(e.End(), 0, ")")
	}
}

func (r *rewriter) increment(s *ast.IncDecStmt) {
	if x, ok := ast.Unparen(s.X).(*ast.IndexExpr); ok {
		if _, isMap := r.pkg.TypesInfo.TypeOf(x.X).Underlying().(*types.Map); isMap {
			return // an element of a map has no address
		}
	}
	name, after := "mutantInc", "--"
	if s.Tok == token.DEC {
		name, after = "mutantDec", "++"
	}
	if id, ok := r.add(s, s.TokPos, "increment", after); ok {
		r.open(s.X.Pos(), 0, fmt.Sprintf("%s(%d, &(", name, id))
		r.close(s.TokPos, 2, "))")
	}
}

// add registers a mutant of the operator at pos. It returns false if the compiler has refused the rewritten form
// before.
func (r *rewriter) add(n ast.Node, pos token.Pos, kind, after string) (int, bool) {
	p := r.pkg.Fset.Position(pos)
	if r.refused[fmt.Sprintf("%s:%d", r.file, p.Line)] {
		return 0, false
	}
	from, to := r.offset(n.Pos()), r.offset(n.End())
	m := mutant{
		id: len(r.mutants) + 1, file: r.file, line: p.Line, column: p.Column, function: r.function,
		before: strings.Join(strings.Fields(string(r.source[from:to])), " "), kind: kind, after: after,
	}
	r.mutants = append(r.mutants, m)
	return m.id, true
}

func plainBool(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

func number(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsFloat) != 0
}

// typeArgument returns the type argument of a helper for a predeclared type. Other types are inferred.
func typeArgument(t types.Type) string {
	if b, ok := types.Unalias(t).(*types.Basic); ok && b.Info()&types.IsUntyped == 0 {
		return "[" + b.Name() + "]"
	}
	return ""
}
