package libor

import (
	"math"

	"kumiko/benchmarks"
)

// model is the host's computation. It uses double precision, and carries derivatives forward instead of an adjoint.
type model struct {
	market
	lambda   []float32 // volatility by periods to maturity
	swapRate []float32
	maturity []int32
}

func newModel(c *benchmarks.Context, m market) *model {
	md := &model{market: m}
	md.lambda = c.Floats("lambda", m.rates, 0.15, 0.25)
	md.swapRate = c.Floats("swap rates", m.options, 0.045, 0.055)
	md.maturity = c.Ints("maturities", m.options, 1, int32(m.rates-m.steps))
	md.maturity[0] = int32(m.rates - m.steps) // one maturity reaches the last rate, the rate of the requested delta
	return md
}

// constants fills the kernels' constant memory.
func (m *model) constants(c *benchmarks.Context) error {
	for _, v := range []struct {
		name string
		data any
	}{
		{"rates", int32(m.rates)}, {"steps", int32(m.steps)}, {"options", int32(m.options)},
		{"accrual", float32(accrual)}, {"lambda", m.lambda}, {"swapRate", m.swapRate}, {"maturity", m.maturity},
	} {
		if err := c.Constant(v.name, v.data); err != nil {
			return err
		}
	}
	return nil
}

// dual is a number and its derivative by the last initial rate.
type dual struct{ v, d float64 }

func (a dual) add(b dual) dual      { return dual{a.v + b.v, a.d + b.d} }
func (a dual) mul(b dual) dual      { return dual{a.v * b.v, a.d*b.v + a.v*b.d} }
func (a dual) scale(k float64) dual { return dual{k * a.v, k * a.d} }
func (a dual) inverse() dual        { return dual{1 / a.v, -a.d / (a.v * a.v)} }
func (a dual) exp() dual            { e := math.Exp(a.v); return dual{e, e * a.d} }
func (a dual) plus(k float64) dual  { return dual{a.v + k, a.d} }

// path evolves the rates along the normal draws z and values the swaptions at the end. slack bounds the jump of
// delta caused by swaptions at their kink.
func (m *model) path(z []float64) (value, delta, slack float64) {
	L := make([]dual, m.rates)
	for i := range L {
		L[i] = dual{v: float64(float32(start))}
	}
	L[m.rates-1].d = 1
	for n := range m.steps {
		var drift dual
		for i := n + 1; i < m.rates; i++ {
			lam := float64(m.lambda[i-n-1])
			con := accrual * lam
			drift = drift.add(L[i].mul(L[i].scale(accrual).plus(1).inverse()).scale(con))
			growth := drift.scale(con).plus(lam * (math.Sqrt(accrual)*z[n] - con/2))
			L[i] = L[i].mul(growth.exp())
		}
	}
	bond := func(upTo int) dual { // price at the last step of one unit paid upTo periods later
		p := dual{v: 1}
		for i := m.steps; i < m.steps+upTo; i++ {
			p = p.mul(L[i].scale(accrual).plus(1).inverse())
		}
		return p
	}
	discount := dual{v: 1}
	for n := range m.steps {
		discount = discount.mul(L[n].scale(accrual).plus(1).inverse())
	}
	var total dual
	for k, maturity := range m.maturity {
		var annuity dual
		for i := 1; i <= int(maturity); i++ {
			annuity = annuity.add(bond(i).scale(accrual))
		}
		swap := bond(int(maturity)).add(annuity.scale(float64(m.swapRate[k]))).plus(-1)
		if swap.v < 0 {
			total = total.add(swap.scale(-100))
		}
		if math.Abs(swap.v) < 1e-5 {
			slack += math.Abs(100 * swap.d * discount.v)
		}
	}
	total = total.mul(discount)
	return total.v, total.d, slack
}
