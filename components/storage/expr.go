package storage

import (
	"errors"
	"fmt"
	"math/bits"
	"reflect"
	"strconv"
	"strings"
	"text/scanner"
)

// evaluate returns the value of a tag's expression: sums, products and quotients of numbers, of fields of owner and
// of structs within it, and of their logarithms. A list has the value of its length.
func evaluate(owner reflect.Value, expr string) (int, error) {
	p := parser{owner: owner}
	p.in.Init(strings.NewReader(expr))
	p.in.Error = func(_ *scanner.Scanner, msg string) { p.fail(errors.New(msg)) }
	p.next = p.in.Scan()
	n := p.sum()
	if p.next != scanner.EOF {
		p.fail(fmt.Errorf("found %q, expected an end", p.in.TokenText()))
	}
	return n, p.err
}

type parser struct {
	in    scanner.Scanner
	next  rune
	owner reflect.Value
	err   error
}

func (p *parser) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// take consumes the next token if it is r.
func (p *parser) take(r rune) bool {
	if p.next != r {
		return false
	}
	p.next = p.in.Scan()
	return true
}

func (p *parser) sum() int {
	n := p.product()
	for p.take('+') {
		n += p.product()
	}
	return n
}

func (p *parser) product() int {
	n := p.atom()
	for {
		switch {
		case p.take('*'):
			n *= p.atom()
		case p.take('/'):
			n /= max(p.atom(), 1)
		default:
			return n
		}
	}
}

func (p *parser) atom() int {
	text := p.in.TokenText()
	switch {
	case p.take(scanner.Int):
		n, err := strconv.Atoi(text)
		if err != nil {
			p.fail(err)
		}
		return n
	case p.take('('):
		n := p.sum()
		p.close()
		return n
	case p.take(scanner.Ident):
		if text == "log" && p.take('(') {
			n := p.sum()
			p.close()
			return bits.Len(uint(max(n, 2) - 1))
		}
		return p.path(text)
	}
	p.fail(fmt.Errorf("found %q, expected a number, a field or log(", text))
	return 0
}

func (p *parser) close() {
	if !p.take(')') {
		p.fail(fmt.Errorf("found %q, expected )", p.in.TokenText()))
	}
}

// path returns the value of a field of owner, or of a field within it.
func (p *parser) path(field string) int {
	v := p.owner.FieldByName(field)
	for p.take('.') {
		field = p.in.TokenText()
		if !p.take(scanner.Ident) {
			break
		}
		for v.Kind() == reflect.Pointer && !v.IsNil() {
			v = v.Elem()
		}
		if v.Kind() == reflect.Struct {
			v = v.FieldByName(field)
		} else {
			v = reflect.Value{}
		}
	}
	switch {
	case !v.IsValid():
	case isList(v.Type()):
		return v.Len()
	case v.CanInt():
		return int(v.Int())
	case v.CanUint():
		return int(v.Uint())
	}
	p.fail(fmt.Errorf("there is no number or list %s", field))
	return 0
}
