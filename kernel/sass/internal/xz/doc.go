// Package xz decompresses files of the .xz format, version 1.1.0 of its
// description (The .xz File Format, tukaani.org), with the LZMA2 filter and
// without others. The decoder follows Igor Pavlov's LZMA specification.
//
// It checks what the format has checks for: headers, sizes, index and contents
// (CRC32, CRC64 or SHA-256).
package xz
