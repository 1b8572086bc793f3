package noc

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/memsys/req"
)

// An output serves its inputs in turn. A saturating input has a
// packet for it whenever the output is free: the last packet has left both.
func TestInputsThatSaturateAnOutputGetEqualShares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inputs, outputs := rapid.SampledFrom([]int{2, 3, 5, 8, 64, 65, 130}).Draw(t, "inputs"),
			rapid.IntRange(1, 5).Draw(t, "outputs")
		b := &bench{d: wire.NewDomain("D", 1e9)}
		b.build(t, 40, inputs, outputs, rapid.IntRange(2, 4).Draw(t, "queue"))
		for _, s := range b.sink {
			period := rapid.IntRange(1, 5).Draw(t, "period")
			refuses := rapid.IntRange(0, period-1).Draw(t, "refuses")
			s.Refuse = func(now wire.Cycle) bool { return int(now)%period < refuses }
		}
		target := make([]int, inputs)
		for i := range target {
			target[i] = rapid.IntRange(-1, outputs-1).Draw(t, "target")
			salt, size := rapid.IntRange(0, 9).Draw(t, "salt"), rapid.IntRange(1, 4).Draw(t, "sectors")
			wiretest.NewFlood("Flood", b.d, &b.x.In[i], func(n int) req.Packet {
				if target[i] >= 0 {
					return data(target[i], size, uint32(i))
				}
				return data((n*n+salt)%outputs, 1+n%4, uint32(i))
			})
		}
		b.d.RunUntil(2000)
		n := make([]int, inputs)
		for _, s := range b.sink {
			for _, g := range s.Got {
				n[g.Msg.Tag]++
			}
		}
		for i := range n {
			for j := range i {
				if target[i] == target[j] && target[i] >= 0 && (n[i]-n[j] > 1 || n[j]-n[i] > 1) {
					t.Fatalf("inputs %d and %d, both for output %d, sent %d and %d packets", j, i, target[i], n[j],
						n[i])
				}
			}
		}
	})
}
