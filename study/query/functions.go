package query

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"kumiko/gpus/result"
	"kumiko/internal/nearest"
	smreason "kumiko/sm/reason"
)

// Function is a function of the language.
type Function struct {
	Name string
	Args string // as documentation writes them
	Doc  string
	// Bind returns the function for one evaluation: a Go function of fixed type with
	// an error as last result. Bind is also called with a context without records,
	// to determine the type.
	Bind func(*Context) any
}

var functions []Function

// Register adds a function. It panics if the name is taken, and is to be called
// before any Query is made.
func Register(f Function) {
	if slices.ContainsFunc(functions, func(g Function) bool { return g.Name == f.Name }) {
		panic("query: two functions are named " + f.Name)
	}
	functions = append(functions, f)
}

// Functions lists all functions over records by name.
func Functions() []Function {
	out := slices.Clone(functions)
	slices.SortFunc(out, func(a, b Function) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// total makes a function of a variant and a benchmark from one of the totals.
func total(get func(*result.Total) float64) func(*Context) any {
	return func(c *Context) any {
		return func(variant, benchmark string) (float64, error) {
			r, err := c.Run(variant, benchmark)
			if r == nil {
				return math.NaN(), err
			}
			return get(&r.Total), nil
		}
	}
}

func init() {
	for _, f := range []Function{
		{"ipc", "variant, benchmark", "thread instructions per core cycle, over all launches",
			total(func(t *result.Total) float64 { return t.IPC })},
		{"cycles", "variant, benchmark", "core cycles of all launches",
			total(func(t *result.Total) float64 { return float64(t.Cycles) })},
		{"ended", "variant, benchmark, stream", "of launches of several streams, the core cycles from the beginning " +
			"to the end of the last one of a stream", func(c *Context) any { return c.ended }},
		{"insts", "variant, benchmark", "executed warp instructions",
			total(func(t *result.Total) float64 { return float64(t.WarpInstructions) })},
		{"threadinsts", "variant, benchmark", "executed thread instructions",
			total(func(t *result.Total) float64 { return float64(t.ThreadInstructions) })},
		{"ctas", "variant, benchmark", "the most CTAs that one SM held at once",
			total(func(t *result.Total) float64 { return float64(t.CTAsResidentMax) })},
		{"speedup", "variant, base, benchmark", "IPC of a variant over the IPC of another one",
			func(c *Context) any { return c.speedup }},
		{"stat", "variant, benchmark, name", "a statistic over all launches (kumiko list stats)",
			func(c *Context) any { return c.stat }},
		{"slots", "variant, benchmark, reason", "share of the issue slots with this reason",
			func(c *Context) any { return c.slots }},
		{"storage", "variant, block, what",
			"bits of state per SM that blocks of the register file report; an empty block or what selects all",
			func(c *Context) any { return c.storage }},
		{"config", "variant, key", "a parameter of the variant's machine (kumiko list params)",
			func(c *Context) any { return c.config }},
		{"stream", "name, benchmark, field",
			"a field of the benchmark's access stream, such as \"values.once\"",
			func(c *Context) any { return c.field }},
		{"speedups", "variant, base, list", "the speedup on each benchmark of the list",
			func(c *Context) any { return c.speedups }},
		{"streams", "name, list, field", "a field of each benchmark's access stream",
			func(c *Context) any { return c.fields }},
		{"present", "list, variants...",
			"the benchmarks of the list that have been run on all the variants; the value then states how many " +
				"of how many", func(c *Context) any { return c.presentIn }},
		{"group", "name", "the benchmarks of a group", func(c *Context) any { return c.group }},
		{"name", "pattern, values...", "the pattern, with each {} replaced by the next value",
			func(*Context) any { return named }},
		{"kib", "bits", "a number of bits in KiB",
			func(*Context) any { return func(bits float64) float64 { return bits / 8 / 1024 } }},
		{"bytes", "bits", "a number of bits in bytes",
			func(*Context) any { return func(bits float64) float64 { return bits / 8 } }},
	} {
		Register(f)
	}
}

func (c *Context) speedup(variant, base, benchmark string) (float64, error) {
	a, err := c.Run(variant, benchmark)
	if err != nil {
		return 0, err
	}
	b, err := c.Run(base, benchmark)
	if a == nil || b == nil {
		return math.NaN(), err
	}
	return a.Total.IPC / b.Total.IPC, nil
}

func (c *Context) speedups(variant, base string, list any) ([]any, error) {
	return each(list, func(b string) (any, error) { return c.speedup(variant, base, b) })
}

func (c *Context) fields(name string, list any, path string) ([]any, error) {
	return each(list, func(b string) (any, error) { return c.field(name, b, path) })
}

// each applies a function to a list of benchmarks.
func each(benchmarks any, f func(string) (any, error)) ([]any, error) {
	list, err := texts(benchmarks)
	if err != nil {
		return nil, err
	}
	out := make([]any, len(list))
	for i, b := range list {
		var err error
		if out[i], err = f(b); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// texts converts a list of texts. The language passes such lists in two forms.
func texts(list any) ([]string, error) {
	switch list := list.(type) {
	case []string:
		return list, nil
	case []any:
		out := make([]string, len(list))
		for i, v := range list {
			s, ok := v.(string)
			if !ok {
				return nil, fmt.Errorf("found %s (%v), expected a benchmark", kindOf(v), v)
			}
			out[i] = s
		}
		return out, nil
	}
	return nil, fmt.Errorf("found %s, expected a list of benchmarks", kindOf(list))
}

func (c *Context) stat(variant, benchmark, name string) (float64, error) {
	r, err := c.Counted(variant, benchmark)
	if r == nil {
		return math.NaN(), err
	}
	n, ok := r.Total.Stats[name]
	if !ok && !c.Swapped(variant) {
		return 0, fmt.Errorf("variant %s has no statistic %q%s", variant, name,
			nearest.Hint(name, slices.Sorted(maps.Keys(r.Total.Stats))))
	}
	return float64(n), nil
}

func (c *Context) slots(variant, benchmark, reason string) (float64, error) {
	r, err := c.Counted(variant, benchmark)
	if r == nil {
		return math.NaN(), err
	}
	// Records made before an SM had the reason have no slots of it.
	if !c.cache.seenReason[reason] && !c.made.gives(reason) && !smreason.Named(reason) {
		return 0, fmt.Errorf("no record has issue slots with reason %q%s", reason,
			nearest.Hint(reason, slices.Sorted(maps.Keys(c.cache.seenReason))))
	}
	var sum uint64
	for _, n := range r.Total.IssueSlots {
		sum += n
	}
	return float64(r.Total.IssueSlots[reason]) / float64(sum), nil
}

// ended returns when a stream has ended, in cycles of the rows of launches side by side.
func (c *Context) ended(variant, benchmark string, stream int) (float64, error) {
	r, err := c.Run(variant, benchmark)
	if r == nil {
		return math.NaN(), err
	}
	if c.made != nil {
		return float64(r.Total.Cycles), nil
	}
	before, end := uint64(0), uint64(0)
	for i := range r.Kernels {
		for _, b := range r.Kernels[i].Beside {
			if b.Stream == stream {
				end = max(end, before+b.End)
			}
		}
		before += r.Kernels[i].Cycles
	}
	if end == 0 {
		return 0, fmt.Errorf("%s: no launch ran in stream %d beside others", benchmark, stream)
	}
	return float64(end), nil
}

func (c *Context) storage(variant, block, what string) (float64, error) {
	r, err := c.Any(variant)
	if r == nil {
		return math.NaN(), err
	}
	bits, found := 0, block == "" && what == ""
	for _, s := range r.Storage {
		if (block == "" || s.Block == block) && (what == "" || s.What == what) {
			bits += s.Bits
			found = true
		}
	}
	if !found && !c.Swapped(variant) {
		return 0, fmt.Errorf("variant %s reports no storage of block %q, %q", variant, block, what)
	}
	return float64(bits), nil
}

func (c *Context) config(variant, key string) (any, error) {
	r, err := c.Any(variant)
	if r == nil {
		return math.NaN(), err
	}
	v, ok := r.Config[key]
	if !ok {
		return nil, fmt.Errorf("variant %s has no parameter %q%s", variant, key,
			nearest.Hint(key, slices.Sorted(maps.Keys(r.Config))))
	}
	if f, ok := number(v); ok {
		return f, nil
	}
	return v, nil
}

func (c *Context) field(name, benchmark, path string) (any, error) {
	v, err := c.Stream(name, benchmark)
	if v == nil {
		return math.NaN(), err
	}
	for i, key := range strings.Split(path, ".") {
		switch at := v.(type) {
		case map[string]any:
			inner, ok := at[key]
			if !ok {
				return nil, fmt.Errorf("stream %s has no field %q (%s)", name, key, path)
			}
			v = inner
		case []any:
			n, err := strconv.Atoi(key)
			if err != nil || n < 0 || n >= len(at) {
				return nil, fmt.Errorf("stream %s: %s: found %q, expected an index below %d", name, path, key, len(at))
			}
			v = at[n]
		default:
			return nil, fmt.Errorf("stream %s: %s ends before part %d", name, path, i+1)
		}
	}
	return v, nil
}

// presentIn selects by the runs without perturbation alone, so an interval
// is always over the same benchmarks.
func (c *Context) presentIn(benchmarks any, variants ...string) ([]string, error) {
	list, err := texts(benchmarks)
	if err != nil {
		return nil, err
	}
	out := []string{}
	for _, b := range list {
		name, _, err := c.benchmark(b)
		if err != nil {
			return nil, err
		}
		there := true
		for _, variant := range variants {
			v, err := c.variant(variant)
			if err != nil {
				return nil, err
			}
			there = there && c.find(v, name, 0) != nil
		}
		if there {
			out = append(out, b)
		}
	}
	if len(out) == 0 {
		c.Lacks(strings.Join(variants, " and ") + " on any of the list")
	}
	if p := (Present{len(out), len(list)}); !slices.Contains(c.present, p) {
		c.present = append(c.present, p)
	}
	return out, nil
}

func (c *Context) group(name string) ([]string, error) {
	g, ok := c.data.Spec.Groups[name]
	if !ok {
		return nil, unknown("the study has no group %q%s", name, nearest.Hint(name, c.data.Spec.GroupNames()))
	}
	return g, nil
}

func named(pattern string, values ...any) (string, error) {
	for _, v := range values {
		before, after, ok := strings.Cut(pattern, "{}")
		if !ok {
			return "", fmt.Errorf("name: more values than {} in %q", pattern)
		}
		pattern = before + fmt.Sprint(v) + after
	}
	if strings.Contains(pattern, "{}") {
		return "", fmt.Errorf("name: fewer values than {} in %q", pattern)
	}
	return pattern, nil
}
