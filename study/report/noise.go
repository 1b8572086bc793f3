package report

import (
	"math"
	"slices"

	"kumiko/study"
	"kumiko/study/query"
)

// errorBars explains the bars of error.
const errorBars = "Bars of error: the value of the plain run, plus and minus half of the interval of 95 % of " +
	"Student's t over this run and the perturbed ones."

// plusMinus explains ± in tables.
const plusMinus = "±: half of the interval of 95 % of Student's t over the plain run and the perturbed ones, as the " +
	"bars of error of the figures."

// plusMinusShort explains ± in a terminal.
const plusMinusShort = "±: half of the interval of 95 % of Student's t over the plain run and the perturbed ones"

// place is a place of a figure: a series and an x.
type place struct{ series, x int }

// noise computes the bar of error of a row.
func (p *points) noise(q *query.Query, r row, f *study.Figure, code string, at query.At) error {
	sample, err := q.Numbers(code, at)
	if err != nil {
		return err
	}
	p.samples[place{r["order"].(int), r["place"].(int)}] = sample
	p.addErrorBar(r, f, sample)
	return nil
}

// addErrorBar puts a bar of error around the value of a row. The bar of a share ends at 0
// and at 1.
func (p *points) addErrorBar(r row, f *study.Figure, sample []float64) {
	i := query.StudentT(sample)
	if i == nil || i.Half() == 0 {
		return
	}
	y := r["y"].(float64)
	low, high := y-i.Half(), y+i.Half()
	if f.Y.Share {
		low, high = max(low, min(y, 0)), min(high, max(y, 1))
	}
	// Bars do not pass the study's ends of the axis either.
	if m := f.Y.Min; m != nil {
		low = max(low, min(y, *m))
	}
	if m := f.Y.Max; m != nil {
		high = min(high, max(y, *m))
	}
	if f.Y.Log && low <= 0 {
		low = y
	}
	r["low"], r["high"] = low, high
	p.intervals = true
}

// addMeans adds the figure's means, for the series with a value
// at each of n x. A label without a name sets them off.
func (p *points) addMeans(f *study.Figure, n int) {
	kinds := study.Means(f.Mean, n)
	if len(kinds) == 0 || n == 0 {
		return
	}
	p.means = len(kinds)
	p.labels = append(p.labels, "")
	for k, kind := range kinds {
		label := kind + " mean"
		p.labels = append(p.labels, label)
		for i, name := range p.names {
			var values []float64
			for _, r := range p.rows {
				if r["order"] == i && r["place"].(int) < n {
					values = append(values, r["y"].(float64))
				}
			}
			if len(values) < n {
				continue
			}
			y := mean(kind, values)
			if math.IsNaN(y) {
				continue
			}
			r := row{"x": label, "place": n + 1 + k, "series": name, "order": i, "y": y}
			p.addErrorBar(r, f, p.sampled(kind, i, n))
			p.append(r)
		}
	}
}

// sampled returns the sample of a mean: one mean over all x per perturbation. Values
// without noise are the same in each.
func (p *points) sampled(kind string, series, n int) []float64 {
	samples := make([][]float64, n)
	for x := range samples {
		samples[x] = p.samples[place{series, x}]
	}
	return meansOf(kind, samples)
}

// meansOf returns the sample of a mean of several values with samples, nil where these do not fit together. Values
// with one number are the same in each.
func meansOf(kind string, samples [][]float64) (out []float64) {
	most := 1
	for _, s := range samples {
		most = max(most, len(s))
	}
	for k := range most {
		var values []float64
		for _, s := range samples {
			switch len(s) {
			case most:
				values = append(values, s[k])
			case 1:
				values = append(values, s[0])
			default:
				return nil
			}
		}
		out = append(out, mean(kind, values))
	}
	if slices.ContainsFunc(out, math.IsNaN) {
		return nil
	}
	return out
}

// mean returns a mean of values, NaN if it is not defined.
func mean(kind string, values []float64) float64 {
	sum := 0.0
	for _, x := range values {
		if kind == study.Geometric {
			if x <= 0 {
				return math.NaN()
			}
			x = math.Log(x)
		}
		sum += x / float64(len(values))
	}
	if kind == study.Geometric {
		return math.Exp(sum)
	}
	return sum
}
