// Package record keeps the results of a study. A Point is one thing to execute, a Record its result, and a Store a
// folder with one file for each record. A pack is one file with the records of a study, to be given away or committed.
// Tables of records are written as CSV and as lines of JSON.
package record
