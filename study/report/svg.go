package report

import (
	"fmt"

	"kumiko/internal/page/svg"
)

// SVG draws every figure that there is, without a browser. write is called with
// the name of a file and its content for each.
func (r *Report) SVG(write func(name string, data []byte) error) error {
	d, err := svg.New()
	if err != nil {
		return err
	}
	for _, f := range r.Figures {
		if f.Spec == nil {
			continue
		}
		data, err := d.Draw(f.Spec)
		if err != nil {
			return fmt.Errorf("figure %s: %w", f.ID, err)
		}
		if err := write(f.ID+".svg", data); err != nil {
			return err
		}
	}
	return nil
}
