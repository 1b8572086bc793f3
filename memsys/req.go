package memsys

import "kumiko/memsys/req"

// Access is one warp memory instruction: see req.Access.
type Access = req.Access

// Reply says that an access is complete: see req.Reply.
type Reply = req.Reply

// Packet is a request or a reply on the interconnect: see req.Packet.
type Packet = req.Packet
