// Package tomldoc reads the structure of a TOML document: the keys with their places, kinds of values, and
// comments. A reader of configuration files can thus report all mistakes at once, each with its place, before
// decoding the values.
package tomldoc
