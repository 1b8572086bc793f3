package sm

import "kumiko/kernel/stream"

// Streams calls f for each warp of the SM that has something left to fetch, with the first run of its stream that it
// has not begun. It is for those who look at the machine while it stands.
func (m *SM) Streams(f func(w *stream.Warp, next int)) { m.fetch.Streams(f) }
