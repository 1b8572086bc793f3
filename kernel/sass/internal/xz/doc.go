// Package xz decompresses files of the .xz format by github.com/ulikunitz/xz, and makes sure that they are complete.
//
// The library checks headers, sizes, index and contents. But it takes a file cut within a block's header for a
// complete one: 65 of the 12536 possible lengths of a cut testdata/blocks-crc32.xz give fewer bytes and no error. A
// trace must not end early unnoticed, so the reader also looks for the footer with which a stream ends.
package xz
