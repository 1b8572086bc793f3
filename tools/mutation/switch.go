package main

// switchFile is added to the package under mutation. The environment variable KUMIKO_MUTANT selects the active
// mutant; unset: none. If KUMIKO_MUTANT_HITS names a file, each mutant is written to it when its operator is first
// evaluated, one number a line.
const switchFile = `package %s

import (
	mutantCmp "cmp"
	mutantOS "os"
	mutantConv "strconv"
	mutantSync "sync"
)

var (
	mutantActive, _ = mutantConv.Atoi(mutantOS.Getenv("KUMIKO_MUTANT"))
	mutantHits      = mutantOpen()
	mutantSeen      = map[int]bool{}
	mutantLock      mutantSync.Mutex
)

func mutantOpen() *mutantOS.File {
	name := mutantOS.Getenv("KUMIKO_MUTANT_HITS")
	if name == "" {
		return nil
	}
	f, err := mutantOS.OpenFile(name, mutantOS.O_CREATE|mutantOS.O_APPEND|mutantOS.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	return f
}

func mutantRecord(id int) {
	mutantLock.Lock()
	defer mutantLock.Unlock()
	if !mutantSeen[id] {
		mutantSeen[id] = true
		mutantHits.WriteString(mutantConv.Itoa(id) + "\n")
	}
}

func mutantOn(id int) bool {
	if mutantHits != nil {
		mutantRecord(id)
	}
	return id == mutantActive
}

type mutantInteger interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

type mutantNumber interface {
	mutantInteger | ~float32 | ~float64
}

func mutantLess[T mutantCmp.Ordered](negation, boundary int, a, b T) bool {
	if mutantOn(boundary) {
		return a <= b
	}
	return mutantOn(negation) != (a < b)
}

func mutantLessEqual[T mutantCmp.Ordered](negation, boundary int, a, b T) bool {
	if mutantOn(boundary) {
		return a < b
	}
	return mutantOn(negation) != (a <= b)
}

func mutantGreater[T mutantCmp.Ordered](negation, boundary int, a, b T) bool {
	if mutantOn(boundary) {
		return a >= b
	}
	return mutantOn(negation) != (a > b)
}

func mutantGreaterEqual[T mutantCmp.Ordered](negation, boundary int, a, b T) bool {
	if mutantOn(boundary) {
		return a > b
	}
	return mutantOn(negation) != (a >= b)
}

func mutantAdd[T mutantNumber](id int, a, b T) T {
	if mutantOn(id) {
		return a - b
	}
	return a + b
}

func mutantSub[T mutantNumber](id int, a, b T) T {
	if mutantOn(id) {
		return a + b
	}
	return a - b
}

func mutantMul[T mutantNumber](id int, a, b T) T {
	if mutantOn(id) {
		return a / b
	}
	return a * b
}

func mutantQuo[T mutantNumber](id int, a, b T) T {
	if mutantOn(id) {
		return a * b
	}
	return a / b
}

func mutantRem[T mutantInteger](id int, a, b T) T {
	if mutantOn(id) {
		return a * b
	}
	return a %% b
}

func mutantNeg[T mutantNumber](id int, a T) T {
	if mutantOn(id) {
		return a
	}
	return -a
}

func mutantInc[T mutantNumber](id int, a *T) {
	if mutantOn(id) {
		*a--
		return
	}
	*a++
}

func mutantDec[T mutantNumber](id int, a *T) {
	if mutantOn(id) {
		*a++
		return
	}
	*a--
}
`
