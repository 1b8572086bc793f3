package machinesvg

import (
	"cmp"
	"slices"

	"kumiko/gpus/chip"
)

// layer assigns each node its distance in links from the first node. Unreachable nodes start a new search in the
// leftmost column.
func layer(nodes []*node, edges []*edge) {
	for _, n := range nodes {
		n.layer = -1
	}
	for _, root := range nodes {
		if root.layer >= 0 {
			continue
		}
		root.layer = 0
		for queue := []*node{root}; len(queue) > 0; queue = queue[1:] {
			for _, e := range edges {
				if e.from == queue[0] && e.to.layer < 0 {
					e.to.layer = e.from.layer + 1
					queue = append(queue, e.to)
				}
			}
		}
	}
}

// arranged returns the drawing of a machine: columns by layer, rows by the mean row of their predecessors.
func arranged(s *chip.Structure, f form) *drawing {
	d := &drawing{form: f}
	d.nodes, d.edges = drawn(s)
	layer(d.nodes, d.edges)
	var columns [][]*node
	for _, n := range d.nodes {
		for len(columns) <= n.layer {
			columns = append(columns, nil)
		}
		n.rank = float64(len(columns[n.layer]))
		columns[n.layer] = append(columns[n.layer], n)
	}
	for c, column := range columns {
		if c > 0 {
			order(column, d.edges)
		}
		for k, n := range column {
			n.h, n.second = f.boxHeight, len(column) > longest && k%2 == 1
			column[0].w = max(column[0].w, d.boxWidth(n))
		}
	}
	d.wrap(columns)
	d.assignLanes()
	d.place()
	return d
}

// wrap divides the columns into as few bands as the room permits, and then makes the bands as narrow as this number
// allows.
func (d *drawing) wrap(columns [][]*node) {
	d.bands = d.wrapped(columns, d.room)
	for room := d.room; ; room -= 10 {
		b := d.wrapped(columns, room)
		if len(b) > len(d.bands) || len(b) == len(columns) {
			break
		}
		d.bands = b
	}
	for i := range d.bands {
		for _, column := range d.bands[i].columns {
			d.bands[i].rows = max(d.bands[i].rows, rowsOf(column))
			for _, n := range column {
				n.band, n.w = i, column[0].w
			}
		}
	}
}

// wrapped returns the bands of columns within a room.
func (d *drawing) wrapped(columns [][]*node, room float64) (out []band) {
	x := room
	for _, column := range columns {
		w := d.columnWidth(column)
		if x += d.columnGap + w; x+margin > room || out == nil {
			out, x = append(out, band{}), margin+w
		}
		b := &out[len(out)-1]
		b.columns = append(b.columns, column)
	}
	return out
}

// longest is the largest number of boxes in an unbroken column. A longer column is drawn as two parts side by side,
// with the boxes of the second part between those of the first in height.
const longest = 6

func rowsOf(column []*node) float64 {
	if len(column) > longest {
		return float64(len(column)+1) / 2
	}
	return float64(len(column))
}

func (d *drawing) columnWidth(column []*node) float64 {
	if len(column) > longest {
		return 2*column[0].w + d.columnGap*0.6
	}
	return column[0].w
}

// laneGap is the distance of links beside each other.
const laneGap = 5.0

// assignLanes gives each bus a place in the channels above the lower bands of its links.
func (d *drawing) assignLanes() {
	d.lanes = map[bus]int{}
	for _, e := range d.edges {
		if e.from.band == e.to.band {
			continue
		}
		b := &d.bands[max(e.from.band, e.to.band)]
		k := e.bus()
		if _, known := d.lanes[k]; !known {
			d.lanes[k] = b.lanes
		}
		b.lanes = max(b.lanes, d.lanes[k]+1)
	}
}

func (e *edge) bus() bus { return bus{e.to, e.to.band < e.from.band} }

// place places the nodes. With a heading the drawing has the proportions of a slide: spare height goes between the
// rows, spare width to the right.
func (d *drawing) place() {
	pitch, rows := d.boxHeight+d.rowGap, 0.0
	d.height = d.heading + 2*margin
	for i := range d.bands {
		b := &d.bands[i]
		x := margin
		for _, column := range b.columns {
			w := d.columnWidth(column)
			for _, n := range column {
				n.x, n.left, n.right = x, x, x+w
				if n.second {
					n.x = x + w - n.w
				}
			}
			x += w + d.columnGap
		}
		d.width = max(d.width, x-d.columnGap+margin)
		d.height += float64(b.lanes+1)*laneGap + b.rows*pitch
		rows += b.rows
	}
	if d.heading > 0 {
		d.width = max(d.width, 1000)
		spare := max(0, d.width*slideHeight/slideWidth-d.height)
		d.height += spare
		d.width = d.height * slideWidth / slideHeight
		pitch += min(spare/rows, pitch)
	}
	y := d.heading + margin/2
	for i := range d.bands {
		b := &d.bands[i]
		b.top = y + float64(b.lanes+1)*laneGap
		b.bottom = b.top + b.rows*pitch
		for _, column := range b.columns {
			step := pitch
			if len(column) > longest {
				step /= 2
			}
			for k, n := range column {
				n.y = b.top + d.rowGap/2 + (b.rows-rowsOf(column))/2*pitch + float64(k)*step
			}
		}
		y = b.bottom
	}
}

// order sorts a column by the mean rank of each node's predecessors in earlier columns.
func order(column []*node, edges []*edge) {
	mean := map[*node]float64{}
	for _, n := range column {
		sum, k := 0.0, 0.0
		for _, e := range edges {
			if e.to == n && e.from.layer < n.layer {
				sum, k = sum+e.from.rank, k+1
			}
		}
		mean[n] = sum / max(k, 1)
	}
	slices.SortStableFunc(column, func(a, b *node) int { return cmp.Compare(mean[a], mean[b]) })
	for i, n := range column {
		n.rank = float64(i)
	}
}
