# Each target installs what it needs on Debian and Ubuntu and, with Homebrew, on macOS. CONTRIBUTING.md describes them.

SYSTEM := $(shell uname -s)
DEBIAN_PACKAGES := zlib1g-dev libgnutls28-dev libpng-dev libjpeg-dev libdeflate-dev liblcms2-dev libwebp-dev libgif-dev libavif-dev libcurl4-openssl-dev libidn2-dev libxxhash-dev libzstd-dev libmicrohttpd-dev libchafa-dev libglib2.0-dev libmimalloc-dev pkg-config openssl
# What tests of the tool need: a terminal to drive.
TEST_PACKAGES := tmux
EXAMPLE_PACKAGES := openjdk-17-jre-headless python3-venv
BREW_PACKAGES := zlib gnutls libpng jpeg-turbo libdeflate little-cms2 webp giflib libavif curl xxhash libmicrohttpd chafa pkg-config

# An optimized build without debug information takes a tenth less time. Backtraces still name the functions.
RELEASE := -c release -debug-info-format none
# The tool converts the images that it writes to sRGB: viewers without color management show other colors wrong. It
# decodes every format that has a codec.
TOOL_TRAITS := --traits ColorManagement,AVIF,GIF,WebP
# Debug builds for `make check`; every trait, since a trait only adds code.
CHECK_BUILD := --enable-all-traits --scratch-path .build/check
# One optimized build for all tests: simulations and decoders take a fifth of the time. The test targets themselves are
# not optimized (CELLOPHANE_OPTIMIZED in Package.swift), because that would cost more than it saves.
TEST_BUILD := $(RELEASE) --enable-all-traits --scratch-path .build/test -Xswiftc -enable-testing

# Links the Swift runtime and libstdc++ statically: the tool is one file, and it starts faster, because a third of the
# symbol lookups at a start would be those of libstdc++. Linux only. The linker takes the static library if STATIC_FOLDER
# has one, and the shared one otherwise.
ifeq ($(SYSTEM),Linux)
STATIC_FOLDER := .build/static
STATIC := --static-swift-stdlib -Xswiftc -L$(STATIC_FOLDER)
endif

# SwiftPM passes the names of enabled traits in the order of a set, which differs between processes. With another order,
# every command line differs and everything is compiled again. Tests themselves run with random hashing.
BUILD_TESTS := env SWIFT_DETERMINISTIC_HASHING=1 swift build --build-tests

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

.PHONY: demo build install man check test test-all test-setup docs examples lint bench fuzz setup clean

demo: build
	.build/release/cellophane simulate --time real --duration 10s --json demo.json
	@echo "The numbers are in demo.json."

build: setup
ifeq ($(SYSTEM),Linux)
	@mkdir -p $(STATIC_FOLDER); rm -f $(STATIC_FOLDER)/libstdc++.a; \
	library=$$(clang -print-file-name=libstdc++.a 2>/dev/null); \
	[ ! -f "$$library" ] || ln -s "$$library" $(STATIC_FOLDER)/
endif
	swift build $(RELEASE) $(TOOL_TRAITS) --product cellophane $(STATIC)

# Tests of one process run side by side on as many threads as there are cores. Three processes: tests in real time over
# sockets, tests that wait for child processes, and tests that compute, which would delay the other two kinds.
check test test-all: export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH := $(shell getconf _NPROCESSORS_ONLN)
test test-all: export CELLOPHANE_OPTIMIZED := 1
REAL_TIME := '^CellophaneCurlTests[.]'
TOOL := '^CellophaneToolTests[.]'

define run_tests
	swift test $(TEST_BUILD) --skip-build --filter $(REAL_TIME)
	swift test $(TEST_BUILD) --skip-build --filter $(TOOL)
	swift test $(TEST_BUILD) --skip-build --skip $(REAL_TIME) --skip $(TOOL)
endef

# Format, a debug build, and the tests in virtual time that take moments.
check: export CELLOPHANE_TESTS := quick
check: setup lint
	$(BUILD_TESTS) $(CHECK_BUILD)
	swift test $(CHECK_BUILD) --skip-build --skip $(REAL_TIME) --skip $(TOOL)

# Every test that is not a soak. CI's first step.
test: setup test-setup lint
	$(BUILD_TESTS) $(TEST_BUILD)
	$(run_tests)

# CI's second step: the default build, every test in its long form (more seeds, kills and records), the examples and
# the fuzzers.
test-all: export CELLOPHANE_TESTS := soak
test-all: setup test-setup
	swift build
	$(BUILD_TESTS) $(TEST_BUILD)
	$(run_tests)
	$(MAKE) examples
ifeq ($(SYSTEM),Linux)
	Fuzz/run 20
endif

test-setup:
ifeq ($(SYSTEM),Linux)
	$(call install,$(TEST_PACKAGES))
endif

# Builds the documentation site and prints its folder. Warnings are errors.
docs: setup
	Scripts/build-docs

# The Python package, also on a local cluster of Apache Spark with two workers; WebDataset, which reads the archives of the
# tool; and moto, a server with the interface of S3. Their packages take more than half a gigabyte.
examples: setup
	cd Examples/AsyncAlgorithms && env -u CELLOPHANE_OPTIMIZED swift test
	cd Examples/LoaderUnderTest && env -u CELLOPHANE_OPTIMIZED swift run newest-first | grep newest-first
	python3 Examples/trace/test_play.py .build/test/release/cellophane
ifeq ($(SYSTEM),Linux)
	$(call install,$(EXAMPLE_PACKAGES))
	@test -x .build/python/bin/pip || python3 -m venv --clear .build/python
	@.build/python/bin/pip install -q 'pyspark==4.*' 'webdataset==1.*' 'mypy==2.*' 'moto[server]==5.*' 'boto3==1.*' \
	  -e './Python[test]'
	.build/python/bin/python Examples/webdataset/test_webdataset.py .build/test/release/cellophane
	.build/python/bin/python Examples/s3/test_s3.py .build/test/release/cellophane
	.build/python/bin/mypy --config-file Python/pyproject.toml Python/src
	.build/python/bin/pytest -q Python/tests --tool .build/test/release/cellophane
	.build/python/bin/python Examples/spark/test_make_dataset.py .build/test/release/cellophane
endif

# Writes the manual pages from the help of the tool. Needs Python 3.
man: build
	python3 Scripts/make-manual.py .build/release/cellophane Documentation/man

# Installs the tool, its manual pages and its shell completions below PREFIX.
PREFIX ?= /usr/local
install: build
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 \
	  $(DESTDIR)$(PREFIX)/share/bash-completion/completions \
	  $(DESTDIR)$(PREFIX)/share/zsh/site-functions $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	install -m 755 .build/release/cellophane $(DESTDIR)$(PREFIX)/bin/cellophane
	install -m 644 Documentation/man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1
	.build/release/cellophane --generate-completion-script bash \
	  >$(DESTDIR)$(PREFIX)/share/bash-completion/completions/cellophane
	.build/release/cellophane --generate-completion-script zsh \
	  >$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_cellophane
	.build/release/cellophane --generate-completion-script fish \
	  >$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/cellophane.fish

lint:
	swift format lint --strict --parallel --recursive Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Benchmarks Benchmarks/Tools Fuzz/Package.swift Fuzz/Sources Examples/AsyncAlgorithms Examples/LoaderUnderTest Examples/thumbnails

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
	rm -rf .build Benchmarks/.build Fuzz/.build Examples/AsyncAlgorithms/.build Examples/LoaderUnderTest/.build Examples/thumbnails/.build demo.json
