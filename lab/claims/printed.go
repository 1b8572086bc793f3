package claims

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// parsePrinted parses a number as printed in a paper, and returns the number of its digits behind the point.
func parsePrinted(s string) (value float64, digits int, ok bool) {
	f, err := strconv.ParseFloat(strings.TrimPrefix(strings.ReplaceAll(s, ",", ""), "+"), 64)
	if err != nil {
		return 0, 0, false
	}
	if _, behind, found := strings.Cut(s, "."); found {
		digits = len(behind)
	}
	return f, digits, true
}

// printedAs writes a number with so many digits behind the point; halves are
// rounded away from zero, as papers do.
func printedAs(x float64, digits int) string {
	p := math.Pow10(digits)
	x = math.Round(x*p*(1+1e-12)) / p
	if x == 0 {
		x = 0 // not -0
	}
	return strconv.FormatFloat(x, 'f', digits, 64)
}

// show writes a value in the unit.
func (e *Expect) show(x float64) string {
	switch e.Unit {
	case "effect":
		return fmt.Sprintf("%+.2f %%", 100*x)
	case "share":
		return fmt.Sprintf("%.1f %%", 100*x)
	case "percent":
		return fmt.Sprintf("%.2f %%", x)
	case "factor":
		return fmt.Sprintf("%.3f", x)
	}
	s := strconv.FormatFloat(x, 'g', 5, 64)
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		s = strconv.FormatFloat(x, 'f', 0, 64)
	}
	if e.Unit != "" {
		s += " " + e.Unit
	}
	return s
}

// size writes a difference of values.
func (e *Expect) size(x float64) string {
	switch e.Unit {
	case "effect", "share":
		return fmt.Sprintf("%.2f points", 100*x)
	case "percent":
		return fmt.Sprintf("%.2f points", x)
	case "factor":
		return fmt.Sprintf("%.3f", x)
	}
	return e.show(x)
}
