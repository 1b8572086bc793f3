package claims

import "fmt"

// Null counts the claims passing if the designs did nothing.
type Null struct {
	// Of is the number of measured and counted claims. Passed is the number among
	// them passing with the baseline in the place of every variant.
	Of, Passed int
	// IDs are the IDs of the passed claims; of the claims of one equation the first.
	IDs []string
	// Ours is the number of claims passing as measured.
	Ours int
	// Fixed is the number of claims, among Passed, without a design in their measure: it depends on
	// programs, the GPU and the baseline alone.
	Fixed int
}

// NullScore counts the outcomes passing with each variant replaced by the root
// of its chain of baselines. The claims of one equation pass together or not
// at all.
func NullScore(outcomes []Outcome) Null {
	var n Null
	for _, u := range units(outcomes) {
		if v := u.verdict(); v == NotRun || v == NotTestable || v == Calibrated {
			continue
		}
		n.Of++
		if u.verdict().Passes() {
			n.Ours++
		}
		passes, fixed := true, true
		for _, o := range u {
			passes, fixed = passes && o.Null, fixed && o.Fixed
		}
		if passes {
			n.Passed++
			n.IDs = append(n.IDs, u[0].ID)
			if fixed {
				n.Fixed++
			}
		}
	}
	return n
}

// String returns the score in a sentence.
func (n Null) String() string {
	if n.Of == 0 {
		return "null score: no claim has been measured"
	}
	s := fmt.Sprintf("null score: with the baseline in the place of every design %d of the %d measured claims would "+
		"pass, where %d do", n.Passed, n.Of, n.Ours)
	if n.Fixed > 0 {
		s += fmt.Sprintf("; %d of the %d are about programs, the GPU or the baseline alone", n.Fixed, n.Passed)
	}
	return s
}
