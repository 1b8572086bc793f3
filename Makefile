# Kumiko needs Go, git and make; `make race` needs a C compiler too.
export CGO_ENABLED := 0

GO ?= go
RACE := ./components/wire/... ./sm/... ./memsys/... ./regfile/...
KERNELS := vecadd transpose hotspot pathfinder sgemm bfs

.PHONY: run build test race bench lint kernels clean assets

# A few built-in kernels on the GTX 980 with a conventional register file.
run: build
	@for k in $(KERNELS); do bin/kumiko run $$k --gpu gtx980 --size small || exit 1; echo; done

build:
	$(GO) build -o bin/kumiko ./cmd/kumiko

test:
	$(GO) test ./...

race:
	CGO_ENABLED=1 $(GO) test -race $(RACE)

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...

lint:
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$unformatted" ]; then echo "not gofmt-clean:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

# Compile the benchmarks' kernels to PTX again; needs clang.
kernels:
	scripts/kernels.sh

# Fetch the JavaScript of the pages again; needs npm.
assets:
	scripts/assets.sh

clean:
	rm -rf bin
