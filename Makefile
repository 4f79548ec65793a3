# `make demo` and `make test` do all of their own set-up on Debian, Ubuntu and, with Homebrew, macOS.

SYSTEM := $(shell uname -s)
DEBIAN_PACKAGES := zlib1g-dev libgnutls28-dev libpng-dev libjpeg-dev libdeflate-dev liblcms2-dev libcurl4-openssl-dev libxxhash-dev libmicrohttpd-dev pkg-config openssl
BREW_PACKAGES := zlib gnutls libpng jpeg-turbo libdeflate little-cms2 curl xxhash libmicrohttpd pkg-config

ALL_TRAITS := --enable-all-traits --scratch-path .build/all-traits

# One file without the Swift runtime's libraries beside it, which also starts faster. Linux only.
ifeq ($(SYSTEM),Linux)
STATIC := --static-swift-stdlib
endif

# What `make fuzz` spends on each target, in seconds.
FUZZ_SECONDS ?= 300

.PHONY: demo test build lint bench fuzz setup clean

demo: build
	.build/release/cellophane simulate --time real --json demo.json
	@echo "The numbers are in demo.json."

build: setup
	swift build -c release --product cellophane $(STATIC)

# The default build has to compile; the tests run with every trait, since a trait only adds code. Each has a folder
# of its own, so that neither makes the other be built again. What computes for minutes, simulations in virtual time,
# runs by itself: tests run side by side, and those with sockets, processes and clocks must not wait for it. So do the
# network faults, each of which has to end in time.
COMPUTING := CellophaneSimulationTests[.](?!SimulationTests\b)
TIMED := CellophaneTests[.]NetworkFaultTests\b
test: setup lint
	swift build
	swift build --build-tests $(ALL_TRAITS)
	swift test $(ALL_TRAITS) --skip-build --filter '$(TIMED)'
	swift test $(ALL_TRAITS) --skip-build --skip '$(COMPUTING)' --skip '$(TIMED)'
	swift test $(ALL_TRAITS) --skip-build --filter '$(COMPUTING)'
ifeq ($(SYSTEM),Linux)
	Fuzz/run 20
endif

lint:
	swift format lint --strict --parallel --recursive Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Benchmarks Benchmarks/Tools Fuzz/Package.swift Fuzz/Sources

bench: setup
	cd Benchmarks && swift package --disable-sandbox benchmark

# Linux only: Xcode's toolchain comes without libFuzzer.
fuzz: setup
	Fuzz/run $(FUZZ_SECONDS)

setup:
	@command -v swift >/dev/null || { \
	  echo "Swift 6.3 or newer is needed: https://www.swift.org/install" >&2; exit 1; }
ifeq ($(SYSTEM),Darwin)
	@brew list --versions $(BREW_PACKAGES) >/dev/null || brew install $(BREW_PACKAGES)
else
	@missing=; for package in $(DEBIAN_PACKAGES); do \
	  dpkg -s $$package >/dev/null 2>&1 || missing="$$missing $$package"; done; \
	if [ -n "$$missing" ]; then \
	  sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	  echo "installing$$missing"; \
	  $$sudo apt-get update -qq && \
	  $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
	fi
endif

clean:
	rm -rf .build Benchmarks/.build Fuzz/.build demo.json
