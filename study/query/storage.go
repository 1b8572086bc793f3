package query

import (
	"reflect"

	"kumiko/gpus/result"
	"kumiko/regfile"
)

// Storage is the state that a result reports of its register file.
func Storage(r *result.Result) []regfile.State {
	f := reflect.ValueOf(r).Elem().FieldByName("Storage")
	if !f.IsValid() {
		return nil
	}
	s, _ := f.Interface().([]regfile.State)
	return s
}
