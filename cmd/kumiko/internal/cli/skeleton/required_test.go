package skeleton

import "testing"

func TestAModuleKeepsTheRequirementsOfItsPackagesAlone(t *testing.T) {
	const mod = `module example.org/d

go 1.26.0

require (
	example.org/used v1.0.0
	example.org/unused v1.2.0
)

require (
	example.org/below v0.1.0 // indirect
	example.org/unused/too v0.2.0 // indirect
)

require kumiko v0.0.0

replace kumiko => ../kumiko
`
	const want = `module example.org/d

go 1.26.0

require (
	example.org/used v1.0.0
)

require (
	example.org/below v0.1.0 // indirect
)

require kumiko v0.0.0

replace kumiko => ../kumiko
`
	modules := []string{"example.org/d", "example.org/used", "example.org/below", "kumiko"}
	if got := string(required([]byte(mod), modules)); got != want {
		t.Errorf("found\n%s\nwant\n%s", got, want)
	}
}
