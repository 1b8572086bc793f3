package machine_test

import "kumiko/gpus/machinetest"

// waits is a kernel with CTAs longer than the time to fill an SM.
var waits = machinetest.WarpText("ld.global.u32 %r6, [%rd2]; add.u32 %r6, %r6, 1; st.global.u32 [%rd2], %r6;")
