package wire

import "github.com/sarchlab/akita/v3/sim"

// portBuffer is an input port as a sim.Buffer. Akita's monitor and performance
// analyzer find it by reflection: a field of type sim.Buffer in the port.
type portBuffer[T any] InPort[T]

func (b *portBuffer[T]) port() *InPort[T] { return (*InPort[T])(b) }

// Name returns the name of the buffer.
func (b *portBuffer[T]) Name() string { return b.name + ".Buf" }

// AcceptHook attaches a hook. It is invoked when a message becomes visible and when it is popped.
func (b *portBuffer[T]) AcceptHook(h sim.Hook) {
	b.port().face().bufHooks.AcceptHook(h)
	b.dom.hooks++
}

// NumHooks returns the number of hooks attached.
func (b *portBuffer[T]) NumHooks() int { return len(b.Hooks()) }

// Hooks returns the hooks attached.
func (b *portBuffer[T]) Hooks() []sim.Hook {
	if b.akita == nil {
		return nil
	}
	return b.akita.bufHooks.Hooks()
}

// CanPush reports whether the buffer has space.
func (b *portBuffer[T]) CanPush() bool { return b.port().held() < len(b.slots) }

// Push panics: messages come over the port's link.
func (b *portBuffer[T]) Push(any) {
	panic("wire: " + b.name + " is filled over its link only")
}

// Pop removes and returns the oldest visible message, or nil.
func (b *portBuffer[T]) Pop() any {
	if msg := b.port().Retrieve(0); msg != nil {
		return msg
	}
	return nil
}

// Peek returns the oldest visible message, or nil.
func (b *portBuffer[T]) Peek() any {
	if msg := b.port().Peek(); msg != nil {
		return msg
	}
	return nil
}

// Capacity returns the capacity in messages.
func (b *portBuffer[T]) Capacity() int { return len(b.slots) }

// Size returns the number of visible messages.
func (b *portBuffer[T]) Size() int { return b.port().Len() }

// Clear pops all visible messages.
func (b *portBuffer[T]) Clear() {
	for b.port().Head() != nil {
		b.port().Pop()
	}
}
