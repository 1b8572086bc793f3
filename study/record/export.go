package record

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"kumiko/gpus/result"
)

// Row is a record as a line of a table: the point, the scalar results, and one
// column for each issue-slot reason, warp state and statistic.
type Row map[string]any

// pointColumns come first, in this order, then the columns of the result, then the
// rest by name.
var pointColumns = []string{"study", "variant", "benchmark", "size", "gpu", "design", "registers", "perturb", "set",
	"key", "config_hash", "program_hash", "version", "checked", "failed", "waves",
	"sample", "split", "parts", "cycles_half_interval", "warp_instructions_simulated",
	"cycles", "warp_instructions", "thread_instructions", "ipc", "ctas_resident_max", "launches", "seconds"}

// NewRow returns the row of a record.
func NewRow(r *Record) Row {
	p := &r.Point
	row := Row{"study": p.Study, "variant": p.Variant, "benchmark": p.Benchmark, "size": p.Size, "gpu": p.GPU,
		"design":    p.Design,
		"registers": p.Registers, "perturb": p.Perturb, "set": p.Set, "key": r.Key, "version": r.Version,
		"checked": r.Checked,
		"failed":  r.Failed, "seconds": r.Seconds}
	if r.Waves != nil {
		row["waves"] = *r.Waves
	}
	if p.Sample != "" {
		row["sample"] = p.Sample
	}
	if s := r.Split; s != nil {
		row["split"], row["parts"] = p.Split, len(s.Parts)
	}
	if r.Streams != nil {
		row["streams"] = r.Streams
	}
	if r.Result != nil {
		row.result(r.Result)
	}
	return row
}

func (row Row) result(r *result.Result) {
	t := &r.Total
	row["design"], row["config_hash"], row["program_hash"] = r.Design, r.ConfigHash, r.ProgramHash
	row["cycles"], row["warp_instructions"], row["thread_instructions"] = t.Cycles, t.WarpInstructions,
		t.ThreadInstructions
	row["ipc"], row["ctas_resident_max"] = t.IPC, t.CTAsResidentMax
	if s := r.Sampling(); s != nil {
		row["cycles_half_interval"], row["warp_instructions_simulated"] = s.CyclesHalf, s.WarpInstructions
	}
	if len(r.Kernels) > 0 {
		row["launches"] = len(r.Kernels)
	}
	for prefix, counts := range map[string]map[string]uint64{"issue_slots.": t.IssueSlots, "warp_states.": t.WarpStates,
		"": t.Stats} {
		for name, n := range counts {
			row[prefix+name] = n
		}
	}
}

// WriteJSONLines writes an object for each record, a line each.
func WriteJSONLines(w io.Writer, records []*Record) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for _, r := range records {
		if err := e.Encode(NewRow(r)); err != nil {
			return err
		}
	}
	return nil
}

// WriteCSV writes a table with the columns of all records together. A value missing from
// a record is empty.
func WriteCSV(w io.Writer, records []*Record) error {
	rows := make([]Row, len(records))
	known := map[string]bool{}
	for i, r := range records {
		rows[i] = NewRow(r)
		for name := range rows[i] {
			known[name] = true
		}
	}
	columns := slices.Clone(pointColumns)
	for _, name := range columns {
		delete(known, name)
	}
	columns = append(columns, slices.Sorted(maps.Keys(known))...)
	out := csv.NewWriter(w)
	line := make([]string, len(columns))
	if err := out.Write(columns); err != nil {
		return err
	}
	for _, row := range rows {
		for i, name := range columns {
			cell, err := Cell(row[name])
			if err != nil {
				return err
			}
			line[i] = cell
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// Cell formats a value of a row as text: texts and numbers as they are, others as JSON; nil is empty.
func Cell(v any) (string, error) {
	switch v := v.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	case int, uint64:
		return fmt.Sprint(v), nil
	}
	b, err := json.Marshal(v)
	return string(b), err
}
