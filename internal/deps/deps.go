// Package deps keeps the modules that the project builds on in go.mod.
package deps

import (
	_ "github.com/golang/mock/gomock"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/klauspost/compress/zstd"
	_ "github.com/pelletier/go-toml/v2"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/sarchlab/akita/v3/analysis"
	_ "github.com/sarchlab/akita/v3/mem/idealmemcontroller"
	_ "github.com/sarchlab/akita/v3/monitoring"
	_ "github.com/sarchlab/akita/v3/sim"
	_ "github.com/sarchlab/akita/v3/tracing"
	_ "github.com/schollz/progressbar/v3"
	_ "github.com/spf13/cobra"
	_ "github.com/tebeka/atexit"
	_ "gonum.org/v1/gonum/graph/flow"
	_ "pgregory.net/rapid"
)
