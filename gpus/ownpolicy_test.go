package gpus_test

import (
	"math/bits"
	"strings"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/sm/sched/policy"
)

// highest is a scheduler policy of one's own: this file has all of it. It picks the warp of the highest slot.
type highest struct{ issued int }

func init() { policy.Register("highest", func() policy.Policy { return &highest{} }) }

func (p *highest) Pick(ready uint64) int { return 63 - bits.LeadingZeros64(ready) }
func (p *highest) Issued(int)            { p.issued++ }
func (p *highest) Started(int)           {}
func (p *highest) Finished(int)          {}

func TestASchedulerPolicyOfOnesOwnIsOneFile(t *testing.T) {
	cycles := map[string]uint64{}
	for _, set := range [][]string{{"sched.policy=highest"}, {"sched.policy=lrr"},
		{"sched.policy=two-level", "sched.inner=highest"}} {
		for _, k := range machinetest.Run(t, config.Request{GPU: "gtx980", Set: set}, gpus.Options{}, "sgemm") {
			cycles[set[len(set)-1]] += k.Cycles
		}
	}
	own := cycles["sched.policy=highest"]
	if own == 0 || own == cycles["sched.policy=lrr"] || cycles["sched.inner=highest"] == 0 {
		t.Errorf("cycles %v, want the policy of one's own to choose other warps than lrr", cycles)
	}
}

func TestAnUnknownPolicyIsToldThePoliciesOfOnesOwn(t *testing.T) {
	_, err := config.Load(config.Request{GPU: "gtx980", Set: []string{"sched.policy=hihgest"}})
	if err == nil || !strings.Contains(err.Error(), "oldest, highest, two-level or fetch-group") {
		t.Errorf("error %v, want all policies by name", err)
	}
}

func TestTwoPoliciesHaveTwoNames(t *testing.T) {
	for _, name := range []string{"", "lrr", "highest"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q is registered again", name)
				}
			}()
			policy.Register(name, func() policy.Policy { return &highest{} })
		}()
	}
}
