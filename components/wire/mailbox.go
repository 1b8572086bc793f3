package wire

import (
	"sync"
	"sync/atomic"
)

// mailbox holds wakes from goroutines outside the simulation, such as a monitor's.
type mailbox struct {
	full atomic.Bool
	mu   sync.Mutex
	ids  []int32
}

func (m *mailbox) post(id int32) {
	m.mu.Lock()
	m.ids = append(m.ids, id)
	m.full.Store(true)
	m.mu.Unlock()
}

// deliver wakes the components in the domain's next cycle, but not before cycle t.
func (m *mailbox) deliver(d *Domain, t Cycle) {
	if !m.full.Load() {
		return
	}
	m.mu.Lock()
	for _, id := range m.ids {
		d.wakeAt(id, t)
	}
	m.ids = m.ids[:0]
	m.full.Store(false)
	m.mu.Unlock()
}
