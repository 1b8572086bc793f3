/* The protocol between an application and Kumiko. A message is an operation, a number of bytes and as many bytes, the
   values in the order of the comments. The answer is a cudaError_t, a number of bytes and as many bytes: the values
   behind the arrow, or, with an error, a text. Numbers are little-endian; a string is a u32 and its bytes. */
#ifndef KUMIKO_PROTOCOL_H
#define KUMIKO_PROTOCOL_H
#define KUMIKO_VERSION 5 /* of this protocol */
enum kumiko_op {
  KUMIKO_HELLO = 1, /* u32 version, u32 pid -> the fields of struct device; with the descriptor of the memory */
  KUMIKO_MODULE,    /* u32 count, so many strings of PTX to link -> u32 first module */
  KUMIKO_KERNEL,    /* u32 module, string name -> the fields of struct kernel */
  KUMIKO_SYMBOL,    /* u32 module, string name -> u64 address, u64 size, u32 in constant memory */
  KUMIKO_ALLOC,     /* u64 size -> u64 address */
  KUMIKO_FREE,      /* u64 address -> */
  KUMIKO_WRITE,     /* u32 module, string name, u64 offset, bytes -> ; of a constant */
  KUMIKO_READ,      /* u32 module, string name, u64 offset, u64 size -> bytes; of a constant */
  KUMIKO_LAUNCH,    /* u32 kernel, u32 grid[3], u32 block[3], u32 shared, u32 cooperative, place, u32 count, so
                       many ranges written by the host (u64 address, u64 size), parameters -> text printed. The place
                       is u32 whether it has one among others that may overlap, u32 stream (0: the default one), u32
                       number of the launch from 1 on, u32 whether all before it end before it begins, u32 count, so
                       many u32 numbers of launches that do */
  KUMIKO_BIND,      /* u32 module, string name, texture -> */
  KUMIKO_OBJECT,    /* texture -> u64 handle */
  KUMIKO_TIME,      /* u32 n, u32 count, so many u32 numbers of launches -> u64 nanoseconds when these, and the first
                       n of all, had ended */
  KUMIKO_OCCUPANCY, /* u32 kernel, u32 threads, u32 shared -> u32 CTAs per SM */
  KUMIKO_REFUSED,   /* string function -> ; the application called what is not there */
};
#endif
