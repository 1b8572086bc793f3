package moving

import (
	"kumiko/components/spec"
	"kumiko/regfile/conventional"
)

// Check refuses a conventional file that reports results before they are there: a CTA would
// count as still while a result is under way to its registers.
func Check(base *conventional.Spec) error {
	if base.Bypass {
		return spec.Elsewhere("regfile.conventional.bypass", true,
			"false where registers are moved: results are announced before they are written")
	}
	return nil
}
