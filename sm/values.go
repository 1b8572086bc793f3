package sm

import (
	"fmt"

	"kumiko/components/op"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/stream"
	"kumiko/sm/message"
)

// valuePlane follows the streams of the resident warps, and enters the classes of their values as instructions issue.
// It exists only for register files with Kind.Values. It has a cursor of its own for each warp, so the messages of the
// SM stay as they are.
type valuePlane struct {
	values *version.Values
	cta    func(slot uint16) *stream.CTA
	warps  []stream.ValueCursor // by warp context
}

// follow makes the SM enter the classes of values from now on.
func (m *SM) follow(values *version.Values) {
	p := &valuePlane{values: values, cta: m.Residency.CTA, warps: make([]stream.ValueCursor, m.spec.WarpContexts())}
	m.observers.Count(p)
	m.Residency.AddListener(p)
}

// Admitted implements residency.Listener.
func (p *valuePlane) Admitted(_ wire.Cycle, slot uint16, contexts []uint16) {
	cta := p.cta(slot)
	for i, c := range contexts {
		p.warps[c].Start(cta, i)
		p.values.Start(c)
	}
}

// Retired implements residency.Listener.
func (p *valuePlane) Retired(wire.Cycle, uint16) {}

// Issued implements sched.IssueListener.
func (p *valuePlane) Issued(_ wire.Cycle, f *message.Fetched, tag uint32) {
	in, classes := p.warps[f.Warp].Next()
	if in != f.Inst {
		panic(fmt.Sprintf("sm: warp %d issued line %d, and the stream of its values is elsewhere", f.Warp, f.Inst.Line))
	}
	if tag != 0 && len(classes) > 0 {
		p.values.Issue(&op.Op{Inst: f.Inst, Tag: tag, Exec: f.Exec, Warp: f.Warp}, classes)
	}
}
