import Benchmark

/// Every figure of the README that speaks of time, but for decoding, which `decoding.py` measures beside C.
/// `make bench` runs them all; in the tables a "kilo" row is per thousand operations and a plain one per
/// operation.
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
