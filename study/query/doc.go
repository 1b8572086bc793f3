// Package query works out expressions over the records of a study: what figures,
// tables and claims show is written down as such expressions.
//
// The language is that of github.com/expr-lang/expr: arithmetic on numbers,
// comparisons, strings, lists with map, filter, any, all, sum, count, and let.
// To it come the functions over records (Functions lists them with what they
// mean), the lists of benchmarks by their group's name (and as groups.NAME,
// which is the one way for a group named as a function, such as groups.all), the
// list variants, and whatever other packages have registered.
//
// Where a function takes a benchmark, "benchmark/kernel" means the launches of one
// of its kernels.
//
// Numbers are float64. What cannot be known because points have not been run is
// no number: the value then is "not run", with the list of all points that are
// missing. An aggregate over a group of which a part is missing is not run
// either; present(list, variants...) chooses those that are there, and the value
// then says how many of how many they were.
//
// An expression can be evaluated with every run taken under a perturbation of
// the timing, which gives its interval (Interval), and with other variants put
// in the place of those that it names (At.Swap), which gives what it would be if
// the designs did nothing.
package query
