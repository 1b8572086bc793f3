// Package req defines the messages inside the memory system: warp memory instructions, the transactions they
// are split into, and the packets of the interconnect. All are plain values with addresses and sizes. Data
// exists on the functional side alone.
package req
