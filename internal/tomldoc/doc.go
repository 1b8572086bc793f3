// Package tomldoc reads the shape of a TOML document: which keys it sets,
// where, to values of which kind, and what its comments say of them. It lets a
// reader of configuration files report every mistake at once, each at its
// place, before the values are decoded.
package tomldoc
