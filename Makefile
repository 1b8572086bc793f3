# Kumiko needs Go, git and make; `make race` needs a C compiler too.
export CGO_ENABLED := 0

GO ?= go
# The packages of the simulator, without the laboratory.
PRODUCT = $$($(GO) list ./... | grep -v '^kumiko/lab')
# Tests of whole machines with several goroutines; those that run all applications take minutes under the race detector.
RACE := TheNumberOfWorkersChangesNothing|WithEveryPlaneInUse|ByAnyNumberOfWorkers|WithAnyNumberOfWorkers

.PHONY: run build test check lab race bench profile golden mutation foreign vendor machine random lint kernels packed clean assets docs silicon papers release

# Run a few built-in kernels on several register-file designs: a table here, figures
# in the report. Points that the same program has recorded are not run again.
# The first build leaves out the profile, figures as SVG files, Parquet and man pages, all of which make build has: it is
# ready sooner, and a few per cent slower.
run:
	@echo "building; a minute the first time"
	@$(GO) build -pgo=off -tags quick -o bin/kumiko ./cmd/kumiko
	@bin/kumiko study run quick
	@bin/kumiko study report quick -o results/quick.html
	@echo; echo "the report: results/quick.html"

build:
	$(GO) build -o bin/kumiko ./cmd/kumiko

# What a change needs: the behaviour of each package, a part of the golden results, and a run of
# the whole machine for each design. make lint vets. The profile would have each package compiled twice, for the program
# and for the tests. With garbage collected less often tests take less processor time, and up to 3 GB of memory.
test: export GOGC ?= 400
test:
	@echo "compiling the tests; a line for each package follows, the first after a minute or two with an empty build cache"
	$(GO) test -vet=off -pgo=off -short -timeout 30m $(PRODUCT)

# make test, and the tests that are products of programs, designs and sizes (testing.Short skips
# them or takes a part of each).
check:
	$(GO) test -vet=off -pgo=off -timeout 30m $(or $(PACKAGES_CHECKED),$(PRODUCT))

# The tests of the laboratory: claims, deviations, pages, comparisons with papers, chips and other simulators.
lab:
	$(GO) test -vet=off -pgo=off -timeout 30m ./lab/...

race:
	CGO_ENABLED=1 $(GO) test -vet=off -race ./components/wire/... ./memsys
	CGO_ENABLED=1 $(GO) test -vet=off -race -run '$(RACE)' ./gpus ./regfile/finereg/... ./regfile/regmutex/... ./regfile/reg-dram/...

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...

# Run every built-in program on every GPU with every register-file preset, and compare
# with the table of results; check the operands of every program on slices of every GPU.
# make test runs a part of both.
golden:
	$(GO) test ./tools/golden -timeout 60m -args -whole

# The pages of lab/docs/papers and lab/docs/deviations, from the committed records and data. make papers ARGS='-add sharing' makes the records of a study
# that was run (go run ./lab/kumiko study run sharing) those of its page.
papers:
	$(GO) run ./lab/papers $(ARGS)

# Page of what was measured on chips and what is simulated: out/silicon.html.
silicon:
	mkdir -p out
	$(GO) run ./lab/silicon -o out/silicon.html

# Change one operator at a time and list the changes that no test of the package notices.
# PACKAGES and SAMPLE narrow it down: make mutation PACKAGES=./memsys/l1 SAMPLE=40
PACKAGES ?= ./components/... ./regfile/... ./memsys/... ./sm/...
SAMPLE ?= 0
mutation:
	$(GO) run ./tools/mutation -sample $(SAMPLE) $(PACKAGES)

# Compare random kernels, compiled by clang for the emulator and for this machine; needs
# clang. make foreign KERNELS=10000 SEED=1 takes some minutes; ARGS=-builtin compares the
# built-in applications.
KERNELS ?= 200
SEED ?= 1
foreign:
	$(GO) run ./tools/foreign -kernels $(KERNELS) -seed $(SEED) $(ARGS)

# Compare random kernels with their machine code by NVIDIA's ptxas, for two architectures each; needs clang and the CUDA
# toolkit (PTXAS). make vendor KERNELS=10000 takes an hour or two, 0.3 s of processor time for each kernel.
# Most of it is the time in which nvdisasm begins, 0.1 to 0.4 s, so that larger batches are quicker.
vendor:
	$(GO) run ./tools/foreign -code -batch 25 -kernels $(KERNELS) -seed $(SEED) $(ARGS)

# Run every program as machine code of sm_52 on every design and every pair of designs, each operand checked.
machine:
	$(GO) test ./benchmarks/all -run EveryDesignAndPair -v -timeout 60m -args -wide

# Run random kernels with diverging lanes on every design and every pair of designs, each operand checked: 2,000 kernels
# in about half an hour on two cores. make random KERNELS=50 SEED=7 runs fewer; what fails goes to random-findings/.
random: KERNELS = 2000
random:
	$(GO) run ./tools/random -kernels $(KERNELS) -seed $(SEED) $(ARGS)

# Record anew where the simulator spends its time. The compiler uses the profile for
# layout and inlining (go build finds default.pgo beside package main).
profile:
	$(GO) test -run '^$$' -bench '^Benchmark(Run|LTRF|CERF|Switching|BeforeTheBanks)$$' -benchtime 3s -o /dev/null -cpuprofile $(CURDIR)/cmd/kumiko/default.pgo ./gpus

# A site of the documents, to be read without a server: out/site/index.html.
docs:
	$(GO) run ./docs/site

lint:
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$unformatted" ]; then echo "not gofmt-clean:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...
	GO="$(GO)" scripts/deadcode.sh
	scripts/commits.sh

# Compile the benchmarks' kernels to PTX again; needs clang.
kernels:
	scripts/kernels.sh

# Make the machine code of the built-in programs again; needs NVIDIA's ptxas and nvdisasm.
packed:
	$(GO) run ./tools/pack $(ARGS)

# Static programs for linux and darwin, amd64 and arm64, and their checksums.
release:
	GO="$(GO)" scripts/release.sh out/release $(PLATFORMS)

# Fetch the JavaScript of the pages again; needs npm.
assets:
	scripts/assets.sh

clean:
	rm -rf bin
