//go:build unix

package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
)

// libor computes the value of LIB's portfolio, whose paths are all one, and by a difference how it changes with the
// last rate. The program prints the value twice and the change once.
func libor(dir string) error {
	const step = 1e-5
	out, err := os.ReadFile(filepath.Join(dir, "run.log"))
	if err != nil {
		return err
	}
	var got []float64
	for _, m := range regexp.MustCompile(`(?m)^(?:v |Lb) = +([0-9.]+)$`).FindAllSubmatch(out, -1) {
		v, err := strconv.ParseFloat(string(m[1]), 64)
		if err != nil {
			return err
		}
		got = append(got, v)
	}
	if len(got) != 3 {
		return fmt.Errorf("its output has %d values, expected two and a sensitivity", len(got))
	}
	v := portfolio(0)
	return close("the portfolio", got, []float64{v, v, (portfolio(step) - portfolio(-step)) / (2 * step)}, 1e-4, 0)
}

// portfolio follows 80 forward rates for 40 steps and returns the value of 15 swaptions. The last rate begins with
// more.
func portfolio(more float64) float64 {
	const rates, steps, accrual, volatility, start, normal = 80, 40, 0.25, 0.2, 0.05, 0.3
	l := make([]float64, rates)
	for i := range l {
		l[i] = start
	}
	l[rates-1] += more
	for n := range steps {
		v, c := 0.0, accrual*volatility
		for i := n + 1; i < rates; i++ {
			v += c * l[i] / (1 + accrual*l[i])
			l[i] *= math.Exp(c*v + volatility*(math.Sqrt(accrual)*normal-0.5*c))
		}
	}
	var bond, annuity [rates - steps]float64
	b, s := 1.0, 0.0
	for i := range bond {
		b /= 1 + accrual*l[steps+i]
		s += accrual * b
		bond[i], annuity[i] = b, s
	}
	value := 0.0
	for _, maturity := range []int{4, 8, 20, 28, 40} {
		for _, rate := range []float64{0.045, 0.05, 0.055} {
			value += 100 * max(0, 1-bond[maturity-1]-rate*annuity[maturity-1])
		}
	}
	for n := range steps {
		value /= 1 + accrual*l[n]
	}
	return value
}
