package query

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/types"
	"github.com/expr-lang/expr/vm"

	"kumiko/internal/nearest"
	"kumiko/study"
)

// Query evaluates expressions over the data of one study. It is not safe for
// concurrent use.
type Query struct {
	data     *study.Data
	cache    *cache
	options  []expr.Option
	programs map[string]*vm.Program
	made     *made // of a Trial
}

// New prepares the data of a study for queries.
func New(d *study.Data) *Query {
	return &Query{data: d, cache: newCache(d), options: environment(d.Spec), programs: map[string]*vm.Program{}}
}

// Data returns the data of the query.
func (q *Query) Data() *study.Data { return q.data }

// Value is the value of an expression: a float64, a string, a bool, or a list
// ([]any) of such. V is nil when needed points are missing.
type Value struct {
	V       any
	Missing []string // sorted
	Present []Present
	// Few are the used runs with too few waves of CTAs (study.Data.FewWaves), as "VARIANT on BENCHMARK", sorted.
	Few []string
	// Runs reports whether the expression uses a run of any variant. Otherwise a perturbation of the timing
	// changes nothing.
	Runs bool
	// Variants reports whether any variant took part: its runs, its storage, or its
	// parameters.
	Variants bool
	// Swapped reports whether a used variant was replaced (At.Swap).
	Swapped bool
}

// NotRun reports whether the value is unknown because points are missing.
func (v *Value) NotRun() bool { return v.V == nil }

// Number returns the value as a number, and whether it is one.
func (v *Value) Number() (float64, bool) {
	f, ok := v.V.(float64)
	return f, ok
}

// Check compiles an expression without evaluating it.
func (q *Query) Check(code string) error {
	_, err := q.program(code)
	return err
}

func (q *Query) program(code string) (*vm.Program, error) {
	if p := q.programs[code]; p != nil {
		return p, nil
	}
	p, err := expr.Compile(code, q.options...)
	if err != nil {
		return nil, inExpression(err)
	}
	q.programs[code] = p
	return p, nil
}

// Eval evaluates an expression. It returns an error for a mistake in the expression, and for a name unknown to
// the study or its records. Missing points are no error.
func (q *Query) Eval(code string, at At) (*Value, error) {
	v, _, err := q.eval(code, at)
	return v, err
}

// eval is Eval; asked reports whether the value depends on a record.
func (q *Query) eval(code string, at At) (v *Value, asked bool, err error) {
	p, err := q.program(code)
	if err != nil {
		return nil, false, err
	}
	c := &Context{data: q.data, made: q.made, cache: q.cache, at: at, missing: map[string]bool{},
		few: map[string]bool{}}
	out, err := expr.Run(p, c.bindings())
	v = &Value{Missing: slices.Sorted(maps.Keys(c.missing)), Present: c.present,
		Few: slices.Sorted(maps.Keys(c.few)), Runs: c.runs, Variants: c.variants,
		Swapped: c.swapped}
	var name *nameError
	switch {
	case len(v.Missing) > 0 && !errors.As(err, &name):
		// The error may stem from the missing points. Only an unknown name is reported
		// before the list of missing points.
		return v, c.asked, nil
	case err != nil:
		return nil, c.asked, inExpression(err)
	}
	if v.V, err = plain(out); err != nil {
		return nil, c.asked, fmt.Errorf("%s: %w", code, err)
	}
	return v, c.asked, nil
}

// nameError is the error for a name unknown to the study.
type nameError struct{ text string }

func (e *nameError) Error() string { return e.text }

func unknown(format string, args ...any) error { return &nameError{fmt.Sprintf(format, args...)} }

// Error is a mistake in an expression.
type Error struct {
	Message string
	// At is the place of the error in characters, from 0.
	At  int
	err error
}

func (e *Error) Error() string {
	return fmt.Sprintf("expression: %s (character %d)", e.Message, e.At+1)
}

func (e *Error) Unwrap() error { return e.err }

// inExpression removes the picture of the place from an error of the compiler or the
// interpreter.
func inExpression(err error) error {
	var fe *file.Error
	if !errors.As(err, &fe) {
		return fmt.Errorf("expression: %w", err)
	}
	message, _, _ := strings.Cut(fe.Message, "\n")
	if name, unknown := strings.CutPrefix(message, "unknown name "); unknown {
		var names []string
		for _, f := range Functions() {
			names = append(names, f.Name)
		}
		message += nearest.Hint(name, names)
	}
	return &Error{message, fe.From, fe.Prev}
}

// ErrUndefined is the error of an expression without a defined value for these records,
// such as a division by zero.
var ErrUndefined = errors.New("gives no number: is something divided by zero?")

// plain converts values of the interpreter to the query's kinds of
// values.
func plain(v any) (any, error) {
	switch v := v.(type) {
	case string, bool:
		return v, nil
	case []any:
		out := make([]any, len(v))
		for i := range v {
			var err error
			if out[i], err = plain(v[i]); err != nil {
				return nil, err
			}
		}
		return out, nil
	case []string:
		out := make([]any, len(v))
		for i := range v {
			out[i] = v[i]
		}
		return out, nil
	}
	f, ok := number(v)
	if !ok {
		return nil, fmt.Errorf("gives %s, expected a number, a text, a truth value or a list", kindOf(v))
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, ErrUndefined
	}
	return f, nil
}

// kindOf names the kind of a value.
func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "nothing"
	case string:
		return "a text"
	case bool:
		return "a truth value"
	case []any, []string, []float64, []int:
		return "a list"
	case map[string]any, map[string]string:
		return "a table"
	}
	if _, ok := number(v); ok {
		return "a number"
	}
	return fmt.Sprintf("a value of type %T", v)
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	case uint64:
		return float64(v), true
	case uint:
		return float64(v), true
	case float32:
		return float64(v), true
	}
	return 0, false
}

// environment returns the names usable in expressions, with their types.
func environment(s *study.Spec) []expr.Option {
	groups := types.Map{}
	env := types.Map{"x": types.Any, "s": types.Any, "variants": types.TypeOf([]string{}),
		"groupnames": types.TypeOf([]string{})}
	for name := range s.Groups {
		groups[name] = types.TypeOf([]string{})
		if !taken(name) {
			env[name] = types.TypeOf([]string{})
		}
	}
	env["groups"] = groups
	c := &Context{data: &study.Data{Spec: s}}
	for i := range functions {
		env[functions[i].Name] = types.TypeOf(functions[i].Bind(c))
	}
	options := []expr.Option{expr.Env(env)}
	for _, name := range replaced {
		options = append(options, expr.DisableBuiltin(name))
	}
	return options
}

// replaced are built-in functions of the language replaced here by functions
// with an error for empty lists.
var replaced = []string{"mean", "median", "min", "max"}

// taken reports whether a group cannot be a variable, because a function has its
// name.
func taken(name string) bool {
	return slices.Contains([]string{"all", "any", "none", "one", "filter", "map", "count", "sum", "groups", "variants",
		"x", "s"}, name) ||
		slices.ContainsFunc(functions, func(f Function) bool { return f.Name == name })
}

// bindings returns the values of the environment for one evaluation.
func (c *Context) bindings() map[string]any {
	s := c.data.Spec
	groups := map[string]any{}
	env := map[string]any{"x": c.at.X, "s": c.at.S, "groups": groups, "groupnames": s.GroupNames()}
	for name, list := range s.Groups {
		groups[name] = list
		if !taken(name) {
			env[name] = list
		}
	}
	var variants []string
	for i := range s.Variants {
		variants = append(variants, s.Variants[i].Name)
	}
	env["variants"] = variants
	for i := range functions {
		env[functions[i].Name] = functions[i].Bind(c)
	}
	return env
}
