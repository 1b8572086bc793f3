// Package req defines the messages inside the memory system: warp memory
// instructions, the transactions they are split into, and the packets that cross
// the interconnect. All are plain values that carry addresses and sizes, never
// data, which only the functional side has.
package req
