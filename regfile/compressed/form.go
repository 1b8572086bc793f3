package compressed

import (
	"kumiko/components/bank"
	"kumiko/components/version"
	"kumiko/kernel/stream"
)

// form is the way in which a register is stored.
type form uint8

const (
	full form = iota
	equal
	byByte
	byHalf
	numForms
)

var formNames = [numForms]string{"full", "equal", "byte", "half"}

// String returns the name of the form in statistics.
func (f form) String() string { return formNames[f] }

// groups is the number of 16-byte banks of a warp register.
const groups = bank.RegisterBytes / 16

// A register takes a word and 31 differences, in whole banks.
var banksOf = [numForms]int{groups, 1, (4 + 31 + 15) / 16, (4 + 2*31 + 15) / 16}

// banks returns the number of 16-byte banks occupied by a register.
func (f form) banks() int { return banksOf[f] }

// lanes returns a set of lanes with as many 16-byte slices as the form has banks. A bank access with these lanes
// switches on the banks of the form.
func (f form) lanes() uint32 { return version.FullMask >> (32 - bank.GroupLanes*f.banks()) }

// formOf returns the form of a write: a compressed one only if the write has all lanes and its differences have at
// most the given number of bytes.
func formOf(v stream.Value, lanes uint32, delta int) form {
	if lanes != version.FullMask {
		return full
	}
	switch d := v.Difference(); {
	case d == stream.Equal:
		return equal
	case d == stream.Byte && delta >= 1:
		return byByte
	case d == stream.Half && delta >= 2:
		return byHalf
	}
	return full
}
