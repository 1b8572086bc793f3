package query

import (
	"kumiko/gpus/result"
	"kumiko/regfile"
)

// Storage is the state that a result reports of its register file.
func Storage(r *result.Result) []regfile.State { return r.Storage }
