import Benchmark

/// The benchmarks of memory, coalescing, slots and the disk cache in `Benchmarks/README.md`.
///
/// `make bench` runs all of them. In its tables, a row with "kilo" is per 1 000 operations and any other row
/// per operation.
let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock, .cpuTotal],
    warmupIterations: 3,
    maxDuration: .seconds(2),
    maxIterations: 2_000)
  memoryBenchmarks()
  loaderBenchmarks()
  diskBenchmarks()
}
