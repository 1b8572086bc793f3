package wp

import "math"

// The host's computation, in double precision.

// Classes of water.
const (
	vapour = iota
	cloud
	rain
	ice
	snow
	classes
)

const (
	melting    = 273.16
	heatVapour = 2.5e6
	heatSnow   = 2.83e6
	heatFusion = 3.3e5
	n0Rain     = 8e6
)

func saturation(p, e float64) float64 { return 0.622 * e / max(p-e, 1) }

func overWater(t, p float64) float64 {
	return saturation(p, 610.78*math.Exp(17.269*(t-melting)/(t-35.86)))
}

func overIce(t, p float64) float64 {
	return saturation(p, 610.78*math.Exp(21.8746*(t-melting)/(t-7.66)))
}

func resistance(latent, rho, t, saturated float64) float64 {
	return rho*latent*latent/(0.024*461.5*t*t) + 1/(saturated*2.26e-5)
}

// distribution returns the slope of the size distribution of a class.
func distribution(q, rho, density, n0, most float64) float64 {
	if q <= 1e-9 {
		return most
	}
	return min(math.Pow(math.Pi*density*n0/(rho*q), 0.25), most)
}

func n0Snow(t float64) float64 { return min(2e6*math.Exp(-0.12*(t-melting)), 1e11) }

// level is one level of one column.
type level struct {
	t, p, rho float64
	q         [classes]float64
}

// rates of the conversions, kg/kg/s.
type rates struct {
	collect, sweep, evaporate                         float64
	nucleate, deposit, gather, sweepIce, rime, freeze float64
	melt, meltIce                                     float64
}

func (l *level) rates() (r rates) {
	q, tc := l.q, l.t-melting
	thin := math.Sqrt(1.28 / l.rho)
	lr := distribution(q[rain], l.rho, 1000, n0Rain, 8e4)
	n0 := n0Snow(l.t)
	ls := distribution(q[snow], l.rho, 100, n0, 1e5)
	r.collect = min(0.001*max(q[cloud]-5e-4, 0), q[cloud]/dt)
	r.sweep = math.Pi / 4 * 841.9 * n0Rain * 4.694 * q[cloud] * math.Pow(lr, -3.8) * thin
	if sat := overWater(l.t, l.p); q[vapour] < sat {
		ventilate := 0.78/(lr*lr) + 0.31*29*1.827*130*math.Pow(lr, -2.9)
		r.evaporate = min(2*math.Pi*n0Rain*(1-q[vapour]/sat)*ventilate/(l.rho*resistance(heatVapour, l.rho, l.t, sat)),
			q[rain]/dt)
	}
	ventilate := 0.65/(ls*ls) + 0.44*3.423*1.55*130*math.Pow(ls, -2.705)
	if tc >= 0 {
		r.melt = min(2*math.Pi*0.024/heatFusion*tc*n0*ventilate/l.rho, q[snow]/dt)
		r.meltIce = q[ice] / dt
		return r
	}
	sat := overIce(l.t, l.p)
	excess := 0.5 * (q[vapour] - sat) / dt
	if excess > 0 {
		crystals := 1e3 * math.Exp(-0.1*tc)
		r.nucleate = min(max(4.92e-11*math.Pow(crystals, 1.33)/l.rho-q[ice], 0)/dt, excess)
	}
	if q[snow] > 0 {
		r.deposit = 4 * n0 * (q[vapour]/sat - 1) * ventilate / (l.rho * resistance(heatSnow, l.rho, l.t, sat))
		r.deposit = max(min(r.deposit, max(excess-r.nucleate, 0)), -q[snow]/dt)
	}
	sweep := math.Pi / 4 * 11.72 * n0 * 3 * math.Pow(ls, -3.41) * thin
	r.gather = 0.001 * math.Exp(0.07*tc) * max(q[ice]-1e-4, 0)
	r.sweepIce = sweep * q[ice] * math.Exp(0.025*tc)
	r.rime = sweep * q[cloud]
	if tc < -40 {
		r.freeze = q[cloud] / dt
	}
	return r
}

// limit scales the losses of a class down to its amount.
func limit(has float64, losses ...*float64) {
	total := 0.0
	for _, l := range losses {
		total += *l * dt
	}
	if total > has {
		for _, l := range losses {
			*l *= has / total
		}
	}
}

// convert advances the level by a time step.
func (l *level) convert() {
	cp := 1004 * (1 + 0.81*l.q[vapour])
	r := l.rates()
	limit(l.q[cloud], &r.collect, &r.sweep, &r.rime, &r.freeze)
	limit(l.q[ice], &r.gather, &r.sweepIce)
	change := [classes]float64{
		vapour: r.evaporate - r.nucleate - r.deposit,
		cloud:  r.meltIce - r.collect - r.sweep - r.rime - r.freeze,
		rain:   r.collect + r.sweep + r.melt - r.evaporate,
		ice:    r.nucleate + r.freeze - r.gather - r.sweepIce - r.meltIce,
		snow:   r.deposit + r.gather + r.sweepIce + r.rime - r.melt,
	}
	for c, d := range change {
		l.q[c] = max(l.q[c]+dt*d, 0)
	}
	l.t += dt / cp * (heatSnow*(r.nucleate+r.deposit) +
		heatFusion*(r.rime+r.freeze-r.melt-r.meltIce) - heatVapour*r.evaporate)

	sat := overWater(l.t, l.p)
	condense := max((l.q[vapour]-sat)/(1+heatVapour*heatVapour*sat/(cp*461.5*l.t*l.t)), -l.q[cloud])
	l.q[vapour] -= condense
	l.q[cloud] += condense
	l.t += heatVapour / cp * condense
}

// fall returns the rain and snow leaving the level downwards, in kg/m2/s.
func (l *level) fall() (water, frozen float64) {
	thin := math.Sqrt(1.28 / l.rho)
	lr := distribution(l.q[rain], l.rho, 1000, n0Rain, 8e4)
	ls := distribution(l.q[snow], l.rho, 100, n0Snow(l.t), 1e5)
	water = l.rho * l.q[rain] * min(2503*math.Pow(lr, -0.8)*thin, dz/dt)
	frozen = l.rho * l.q[snow] * min(20.1*math.Pow(ls, -0.41)*thin, dz/dt)
	return water, frozen
}

// model returns the fields after the step, and the amounts that have reached the ground.
func (s *state) model() (temperature, water, ground []float64) {
	columns := s.w * s.h
	n := columns * s.levels
	temperature, water, ground = make([]float64, n), make([]float64, classes*n), make([]float64, columns)
	for column := range columns {
		var rainAbove, snowAbove float64
		for k := s.levels - 1; k >= 0; k-- {
			i := k*columns + column
			l := level{t: float64(s.temperature[i]), p: float64(s.pressure[i]), rho: float64(s.density[i])}
			for c := range l.q {
				l.q[c] = float64(s.water[c*n+i])
			}
			l.convert()
			water1, snow1 := l.fall()
			l.q[rain] += dt * (rainAbove - water1) / (l.rho * dz)
			l.q[snow] += dt * (snowAbove - snow1) / (l.rho * dz)
			rainAbove, snowAbove = water1, snow1
			temperature[i] = l.t
			for c, v := range l.q {
				water[c*n+i] = v
			}
		}
		ground[column] = dt * (rainAbove + snowAbove)
	}
	return temperature, water, ground
}
