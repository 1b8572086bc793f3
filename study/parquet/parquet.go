// Package parquet writes the records of a study as a Parquet file. It is apart from package study, because its
// libraries take long to compile.
package parquet

import (
	"io"
	"maps"
	"slices"

	"github.com/parquet-go/parquet-go"

	"kumiko/study/record"
)

// Write writes a Parquet file with a row for each record and the columns of all records together, in the
// order of their names. Each column has a type: 64-bit integers with or without sign, double precision, or
// text. Other values are written as JSON text. A value missing from a record is null.
func Write(w io.Writer, records []*record.Record) error {
	rows := make([]record.Row, len(records))
	types := map[string]parquet.Node{}
	for i, r := range records {
		rows[i] = record.NewRow(r)
		for name, v := range rows[i] {
			if n := node(v); n != nil {
				types[name] = parquet.Optional(n)
			}
		}
	}
	columns := slices.Sorted(maps.Keys(types))
	out := parquet.NewWriter(w, parquet.NewSchema("records", parquet.Group(types)), parquet.Compression(&parquet.Zstd))
	line := make(parquet.Row, len(columns))
	for _, row := range rows {
		for i, name := range columns {
			v, err := value(row[name])
			if err != nil {
				return err
			}
			present := 1
			if row[name] == nil {
				present = 0
			}
			line[i] = v.Level(0, present, i)
		}
		if _, err := out.WriteRows([]parquet.Row{line}); err != nil {
			return err
		}
	}
	return out.Close()
}

// node returns the type of a column with a value; nil if the value determines none.
func node(v any) parquet.Node {
	switch v.(type) {
	case nil:
		return nil
	case int:
		return parquet.Int(64)
	case uint64:
		return parquet.Uint(64)
	case float64:
		return parquet.Leaf(parquet.DoubleType)
	}
	return parquet.String()
}

// value returns the value of a cell.
func value(v any) (parquet.Value, error) {
	switch v := v.(type) {
	case nil:
		return parquet.NullValue(), nil
	case int:
		return parquet.Int64Value(int64(v)), nil
	case uint64:
		return parquet.Int64Value(int64(v)), nil
	case float64:
		return parquet.DoubleValue(v), nil
	}
	s, err := record.Cell(v)
	return parquet.ByteArrayValue([]byte(s)), err
}
