# `make demo` and `make test` do all of their own set-up on Debian, Ubuntu and, with Homebrew, macOS.

SYSTEM := $(shell uname -s)
DEBIAN_PACKAGES := zlib1g-dev libgnutls28-dev libpng-dev libjpeg-dev libdeflate-dev liblcms2-dev libcurl4-openssl-dev libxxhash-dev libmicrohttpd-dev libchafa-dev libglib2.0-dev libmimalloc-dev pkg-config openssl
# What tests of the tool need: a terminal to drive.
TEST_PACKAGES := tmux
EXAMPLE_PACKAGES := openjdk-17-jre-headless python3-venv
BREW_PACKAGES := zlib gnutls libpng jpeg-turbo libdeflate little-cms2 curl xxhash libmicrohttpd chafa pkg-config

ALL_TRAITS := --enable-all-traits --scratch-path .build/all-traits

# One file without the Swift runtime's libraries beside it, nor the C++ library that they are built on: of all that is
# looked up at each start a third would be that one's. Linux only. The linker takes the first that it finds, and the
# shared one where there is no other.
ifeq ($(SYSTEM),Linux)
STATIC_FOLDER := .build/static
STATIC := --static-swift-stdlib -Xswiftc -L$(STATIC_FOLDER)
endif

# What `make fuzz` spends on each target, in seconds.
FUZZ_SECONDS ?= 300

# Installs those of some Debian packages that are missing.
define install
	@missing=; for package in $(1); do \
	  dpkg -s $$package >/dev/null 2>&1 || missing="$$missing $$package"; done; \
	if [ -n "$$missing" ]; then \
	  sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	  echo "installing$$missing"; \
	  $$sudo apt-get update -qq && \
	  $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
	fi
endef

.PHONY: demo test build examples lint bench fuzz setup clean

demo: build
	.build/release/cellophane simulate --time real --json demo.json
	@echo "The numbers are in demo.json."

build: setup
ifeq ($(SYSTEM),Linux)
	@mkdir -p $(STATIC_FOLDER); rm -f $(STATIC_FOLDER)/libstdc++.a; \
	library=$$(clang -print-file-name=libstdc++.a 2>/dev/null); \
	[ ! -f "$$library" ] || ln -s "$$library" $(STATIC_FOLDER)/
endif
	swift build -c release --product cellophane $(STATIC)

# The default build has to compile; the tests run with every trait, since a trait only adds code. Each has a folder
# of its own, so that neither makes the other be built again. Tests of one process run side by side on as many threads
# as there are cores, and no more at once than that: one that computes would hold up those that wait for the next line
# of a child process or of an origin, on a busy machine for half a minute. Each kind has a process of its own as well:
# the network faults, each of which has to end in time; what else talks over sockets, in real time; the tool's, which
# answer their child processes; what computes for minutes, simulations in virtual time; and the rest.
TIMED := CellophaneTests[.]NetworkFaultTests\b
SOCKETS := (AddressLifetime|CurlTransport|CurlSockets|Descriptor|FieldBytes|FileURL|FramingFields|Handshake|HTTP2|HTTPIdentity|LongRun
SOCKETS := $(SOCKETS)|NameLookups|Proxy|ReadmeExample|Redirect|RedirectTarget|Resume|SecretTarget|TestOrigin|TLS
SOCKETS := Cellophane(Simulation|Testing)?Tests[.]$(SOCKETS)|Simulation|TransportCancellation|TransportSecurity|Validation)Tests\b
TOOL := CellophaneToolTests[.]
COMPUTING := CellophaneSimulationTests[.](?!SimulationTests\b)
test: export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH := $(shell getconf _NPROCESSORS_ONLN)
test: setup lint
ifeq ($(SYSTEM),Linux)
	$(call install,$(TEST_PACKAGES))
endif
	swift build
	swift build --build-tests $(ALL_TRAITS)
	swift test $(ALL_TRAITS) --skip-build --filter '$(TIMED)'
	swift test $(ALL_TRAITS) --skip-build --filter '$(SOCKETS)'
	swift test $(ALL_TRAITS) --skip-build --filter '$(TOOL)'
	swift test $(ALL_TRAITS) --skip-build --skip '$(TIMED)' --skip '$(SOCKETS)' --skip '$(TOOL)' --skip '$(COMPUTING)'
	swift test $(ALL_TRAITS) --skip-build --filter '$(COMPUTING)'
ifeq ($(SYSTEM),Linux)
	$(MAKE) examples
	Fuzz/run 20
endif

# What drives the tool from Python, Apache Spark on a local cluster of three workers, and what reads its archives there,
# WebDataset. Their packages take half a gigabyte.
examples: setup
	$(call install,$(EXAMPLE_PACKAGES))
	@test -x .build/python/bin/pip || python3 -m venv --clear .build/python
	@.build/python/bin/pip install -q 'pyspark==4.*' pyarrow 'webdataset==1.*'
	.build/python/bin/python Examples/webdataset/test_webdataset.py .build/all-traits/debug/cellophane
	.build/python/bin/python Examples/spark/test_prefetch_job.py .build/all-traits/debug/cellophane

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
	$(call install,$(DEBIAN_PACKAGES))
endif

clean:
	rm -rf .build Benchmarks/.build Fuzz/.build demo.json
