#!/bin/sh -e
# Compiles body.h for the host, whose results are reference.bin, and for the
# device with and without optimisation. Needs clang 19; no CUDA.
clang++-19 -O0 -fwrapv -ffp-contract=off host.cpp -o host -lm && ./host && rm host
for o in O0 O2; do
  clang-19 -x cuda --cuda-device-only --cuda-gpu-arch=sm_52 --cuda-feature=+ptx63 -nocudainc -nocudalib \
    -fwrapv -ffp-contract=off -Wno-unknown-cuda-version -$o -S device.cu -o device_$o.ptx
done
