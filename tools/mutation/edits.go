package main

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// An edit replaces length bytes at offset by text.
type edit struct {
	offset, length int
	text           string
	closes         bool // the edit is at the end of its expression
	depth          int
}

func (r *rewriter) offset(p token.Pos) int { return r.pkg.Fset.Position(p).Offset }

func (r *rewriter) open(p token.Pos, length int, text string) {
	r.edits = append(r.edits, edit{offset: r.offset(p), length: length, text: text, depth: r.depth})
}

func (r *rewriter) close(p token.Pos, length int, text string) {
	r.edits = append(r.edits, edit{offset: r.offset(p), length: length, text: text, closes: true, depth: r.depth})
}

// around inserts text before and after an expression.
func (r *rewriter) around(e ast.Expr, before, after string) {
	r.open(e.Pos(), 0, before)
	r.close(e.End(), 0, after)
}

// call replaces a binary expression by a call with its operands.
func (r *rewriter) call(e *ast.BinaryExpr, head string) {
	r.around(e, head, ")")
	r.open(e.OpPos, len(e.Op.String()), ", ")
}

// apply makes the edits. At one offset the innermost expression closes first, and the
// outermost opens first.
func apply(source []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int {
		switch {
		case a.offset != b.offset:
			return a.offset - b.offset
		case a.closes != b.closes && a.closes:
			return -1
		case a.closes != b.closes:
			return 1
		case a.closes:
			return b.depth - a.depth
		default:
			return a.depth - b.depth
		}
	})
	var out strings.Builder
	at := 0
	for _, e := range edits {
		out.Write(source[at:e.offset])
		out.WriteString(e.text)
		at = e.offset + e.length
	}
	out.Write(source[at:])
	return []byte(out.String())
}
