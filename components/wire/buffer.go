package wire

import "github.com/sarchlab/akita/v3/sim"

// portBuffer is an input port as a sim.Buffer. Akita's monitor and performance
// analyzer find it by reflection: a field of type sim.Buffer in the port.
type portBuffer Sink

// sink returns the input port itself.
func (b *portBuffer) sink() *Sink { return (*Sink)(b) }

// Name returns the name of the buffer.
func (b *portBuffer) Name() string { return b.q.name + ".Buf" }

// AcceptHook attaches a hook. It is invoked when a message becomes visible and when it is popped.
func (b *portBuffer) AcceptHook(h sim.Hook) {
	b.sink().face().bufHooks.AcceptHook(h)
	b.q.dom.hooks++
}

// NumHooks returns the number of hooks attached.
func (b *portBuffer) NumHooks() int { return len(b.Hooks()) }

// Hooks returns the hooks attached.
func (b *portBuffer) Hooks() []sim.Hook {
	if b.akita == nil {
		return nil
	}
	return b.akita.bufHooks.Hooks()
}

// CanPush reports whether the buffer has space.
func (b *portBuffer) CanPush() bool { return b.sink().held() < b.q.size }

// Push panics: messages come over the port's link.
func (b *portBuffer) Push(any) {
	panic("wire: " + b.q.name + " is filled over its link only")
}

// Pop removes and returns the oldest visible message, or nil.
func (b *portBuffer) Pop() any {
	if msg := b.sink().Retrieve(0); msg != nil {
		return msg
	}
	return nil
}

// Peek returns the oldest visible message, or nil.
func (b *portBuffer) Peek() any {
	if msg := b.sink().Peek(); msg != nil {
		return msg
	}
	return nil
}

// Capacity returns the capacity in messages.
func (b *portBuffer) Capacity() int { return b.q.size }

// Size returns the number of visible messages.
func (b *portBuffer) Size() int { return b.port.Len() }

// Clear pops all visible messages.
func (b *portBuffer) Clear() {
	for b.port.Len() > 0 {
		b.port.Pop()
	}
}
