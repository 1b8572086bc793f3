// Package query evaluates expressions over the records of a study. The values shown by figures,
// tables and claims are such expressions.
//
// The language is that of github.com/expr-lang/expr: arithmetic on numbers,
// comparisons, strings, lists with map, filter, any, all, sum, count, and let.
// Additions are the functions over records (Functions lists them with their
// meanings), the lists of benchmarks by their group's name (and as groups.NAME,
// the only way for a group named as a function, such as groups.all), the
// list variants, and functions registered by other packages.
//
// Where a function takes a benchmark, "benchmark/kernel" means the launches of one
// of its kernels.
//
// Numbers are float64. A number unknown because points have not been run is NaN: the value then is "not run",
// with the list of all missing points. An aggregate over a partly missing group is not run either.
// present(list, variants...) selects the present ones, and the value then has the number of present and of all
// benchmarks.
//
// An expression can be evaluated with every run taken under a perturbation of the timing, for its interval
// (Interval). It can also be evaluated with some variants replaced by others (At.Swap), for its value if the
// designs did nothing.
package query
