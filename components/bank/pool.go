package bank

// Pool assigns the places of an index to warp contexts, where more contexts are resident than the banks have
// places. A context's place belongs to its scheduler and lies in that scheduler's banks.
//
// A place vacated by moving its registers elsewhere goes to the next context in need of one and is overwritten, as
// in a file with only as many places as are in use. If there is none, a context gets the place of its own number if
// that is free, else any free place of its scheduler.
type Pool struct {
	index      *Index
	schedulers int
	at         []int16    `bits:"1+log(taken)"`            // by context: its place, or nowhere
	taken      []bool     `bits:"1"`                       // by place
	vacated    [][]uint16 `bits:"log(taken)" room:"taken"` // by scheduler: free places whose registers were moved elsewhere
}

// nowhere marks a context without a place.
const nowhere = -1

// NewPool takes over the places of an index, all of them free, for an SM with the given number of schedulers.
func NewPool(x *Index, schedulers int) *Pool {
	p := &Pool{index: x, schedulers: schedulers, at: make([]int16, len(x.locations)), taken: make([]bool,
		len(x.locations)),
		vacated: make([][]uint16, schedulers)}
	for w := range p.at {
		p.at[w] = nowhere
	}
	return p
}

// Has reports whether a context has a place.
func (p *Pool) Has(warp uint16) bool { return p.at[warp] != nowhere }

// At returns the number of a context's place; negative: it has none.
func (p *Pool) At(warp uint16) int { return int(p.at[warp]) }

// Take assigns a place to a context without one.
func (p *Pool) Take(warp uint16) {
	place := p.choose(int(warp))
	p.taken[place], p.at[warp] = true, int16(place)
	p.index.Put(warp, place)
}

func (p *Pool) choose(warp int) int {
	s := warp % p.schedulers
	if v := p.vacated[s]; len(v) > 0 {
		p.vacated[s] = v[:len(v)-1]
		return int(v[len(v)-1])
	}
	if !p.taken[warp] {
		return warp
	}
	for place := s; place < len(p.taken); place += p.schedulers {
		if !p.taken[place] {
			return place
		}
	}
	panic("bank: more contexts with a place than there are contexts")
}

// Pass moves the place of context from to context to, of the same scheduler and without a place.
func (p *Pool) Pass(from, to uint16) {
	place := p.at[from]
	p.at[from], p.at[to] = nowhere, place
	p.index.Put(to, int(place))
}

// Leave frees a context's place. moved: its registers were moved elsewhere, so the next context in need of a place
// overwrites them. Otherwise its warp has ended.
func (p *Pool) Leave(warp uint16, moved bool) {
	place := p.at[warp]
	p.at[warp] = nowhere
	if moved {
		s := int(warp) % p.schedulers
		p.vacated[s] = append(p.vacated[s], uint16(place))
		return
	}
	p.taken[place] = false
}
