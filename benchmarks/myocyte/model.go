package myocyte

import "math"

// The host's computation, in double precision and by tables.

// rates of opening and closing of x1, m, h, j, d and f: Beeler and Reuter 1977,
// table 1, c1 to c7.
var rates = [6][2][7]float64{
	{{0.0005, 0.083, 50, 0, 0, 0.057, 1}, {0.0013, -0.06, 20, 0, 0, -0.04, 1}},
	{{0, 0, 47, -1, 47, -0.1, -1}, {40, -0.056, 72, 0, 0, 0, 0}},
	{{0.126, -0.25, 77, 0, 0, 0, 0}, {1.7, 0, 22.5, 0, 0, -0.082, 1}},
	{{0.055, -0.25, 78, 0, 0, -0.2, 1}, {0.3, 0, 32, 0, 0, -0.1, 1}},
	{{0.095, -0.01, -5, 0, 0, -0.072, 1}, {0.07, -0.017, 44, 0, 0, 0.05, 1}},
	{{0.012, -0.008, 28, 0, 0, 0.15, 1}, {0.0065, -0.02, 30, 0, 0, -0.2, 1}},
}

func rate(v float64, c [7]float64) float64 {
	return (c[0]*math.Exp(c[1]*(v+c[2])) + c[3]*(v+c[4])) / (math.Exp(c[5]*(v+c[2])) + c[6])
}

// slope returns the slope of potential, calcium and the six gates.
func slope(s [variables]float64) (d [variables]float64) {
	v, calcium := s[0], s[1]
	for g, r := range rates {
		y := s[2+g]
		d[2+g] = rate(v, r[0])*(1-y) - rate(v, r[1])*y
	}
	x1, m, h, j, dGate, f := s[2], s[3], s[4], s[5], s[6], s[7]
	e := func(k, v0 float64) float64 { return math.Exp(k * (v + v0)) }
	potassium := 0.35 * (4*(e(0.04, 85)-1)/(e(0.08, 53)+e(0.04, 53)) + 0.2*(v+23)/(1-e(-0.04, 23)))
	outward := x1 * 0.8 * (e(0.04, 77) - 1) / e(0.04, 35)
	sodium := (4*m*m*m*h*j + 0.003) * (v - 50)
	slow := 0.09 * dGate * f * (v + 82.3 + 13.0287*math.Log(calcium*1e-7))
	d[0] = stimulus - potassium - outward - sodium - slow
	d[1] = -slow + 0.07*(1-calcium)
	return d
}

// fehlberg has the coefficients of the Runge-Kutta-Fehlberg method's six stages, fourth and fifth the weights with
// which the stages give the results of order four and five.
var (
	fehlberg = [6][]float64{
		{}, {1.0 / 4}, {3.0 / 32, 9.0 / 32}, {1932.0 / 2197, -7200.0 / 2197, 7296.0 / 2197},
		{439.0 / 216, -8, 3680.0 / 513, -845.0 / 4104}, {-8.0 / 27, 2, -3544.0 / 2565, 1859.0 / 4104, -11.0 / 40},
	}
	fourth = [6]float64{25.0 / 216, 0, 1408.0 / 2565, 2197.0 / 4104, -1.0 / 5, 0}
	fifth  = [6]float64{16.0 / 135, 0, 6656.0 / 12825, 28561.0 / 56430, -9.0 / 50, 2.0 / 55}
)

// integrate returns the state after the given steps, and the largest difference between the two orders over all
// variables and steps.
func integrate(s [variables]float64, steps int) (end [variables]float64, worst float64) {
	for range steps {
		var k [6][variables]float64
		for stage, row := range fehlberg {
			t := s
			for j, a := range row {
				for i := range t {
					t[i] += timeStep * a * k[j][i]
				}
			}
			k[stage] = slope(t)
		}
		for i := range s {
			var low, high float64
			for j := range k {
				low += timeStep * fourth[j] * k[j][i]
				high += timeStep * fifth[j] * k[j][i]
			}
			s[i] += high
			worst = max(worst, math.Abs(high-low))
		}
	}
	return s, worst
}
