// Command kumiko of the laboratory is kumiko with the studies of the published designs, the verdicts on the claims of
// their papers in reports, and the command study claims.
//
//	go run ./lab/kumiko study run gebhart
//	go run ./lab/kumiko study claims gebhart
package main

import (
	"kumiko/cmd/kumiko/command"
	"kumiko/cmd/kumiko/extras"
	"kumiko/lab/evidence"
)

func main() { command.Main(extras.SVG, extras.Parquet, extras.Man, published) }

// published adds what the laboratory knows of the published designs.
func published(e *command.Extras) {
	e.Evidence = evidence.Published{}
	e.Study = append(e.Study, judge)
}
