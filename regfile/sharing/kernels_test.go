package sharing_test

import "kumiko/tools/stages"

// waits is a kernel with CTAs longer than the time to fill an SM.
var waits = stages.Kernel("ld.global.u32 %r6, [%rd2]; add.u32 %r6, %r6, 1; st.global.u32 [%rd2], %r6;")
