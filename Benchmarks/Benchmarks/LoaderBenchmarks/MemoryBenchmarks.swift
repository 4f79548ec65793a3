import Benchmark
import Cellophane
import Foundation
import Synchronization

/// Registers the benchmarks of memory hits, with the alternatives of a typical app for comparison.
func memoryBenchmarks() {
  let thousands = Benchmark.Configuration(scalingFactor: .kilo)

  Benchmark("memory hit", configuration: thousands) { benchmark, world in
    for index in benchmark.scaledIterations {
      blackHole(world.loader.cached(world.requests[index & 511]))
    }
  } setup: {
    try await World.filled()
  }

  // A hit on the newest entry does not move it.
  Benchmark("memory hit, newest entry", configuration: thousands) { benchmark, world in
    let request = world.requests[7]
    for _ in benchmark.scaledIterations { blackHole(world.loader.cached(request)) }
  } setup: {
    try await World.filled()
  }

  Benchmark("memory hit, two tasks, per task", configuration: thousands) { benchmark, world in
    let iterations = benchmark.scaledIterations
    await twoTasks { part in
      for index in iterations { blackHole(world.loader.cached(world.requests[(index + part * 100) & 511])) }
    }
  } setup: {
    try await World.filled()
  }

  // Two tasks that share nothing. This is the limit of the machine for the previous benchmark.
  Benchmark("memory hit, two tasks, a cache each, per task", configuration: thousands) {
    benchmark, worlds in
    let iterations = benchmark.scaledIterations
    await twoTasks { part in
      let world = worlds[part]
      for index in iterations { blackHole(world.loader.cached(world.requests[index & 511])) }
    }
  } setup: { () async throws -> [World] in
    [try await World.filled(), try await World.filled()]
  }

  Benchmark("Mutex and Dictionary of String, hit", configuration: thousands) { benchmark, cache in
    for index in benchmark.scaledIterations { blackHole(cache.value(cache.keys[index & 511])) }
  } setup: {
    try PlainCache()
  }

  Benchmark("Mutex and Dictionary of String, two tasks, per task", configuration: thousands) {
    benchmark, cache in
    let iterations = benchmark.scaledIterations
    await twoTasks { part in
      for index in iterations { blackHole(cache.value(cache.keys[(index + part * 100) & 511])) }
    }
  } setup: {
    try PlainCache()
  }

  Benchmark("NSCache, hit", configuration: thousands) { benchmark, cache in
    for index in benchmark.scaledIterations { blackHole(cache.value(index & 511)) }
  } setup: {
    try FoundationCache()
  }

  Benchmark("NSCache, two tasks, per task", configuration: thousands) { benchmark, cache in
    let iterations = benchmark.scaledIterations
    await twoTasks { part in
      for index in iterations { blackHole(cache.value((index + part * 100) & 511)) }
    }
  } setup: {
    try FoundationCache()
  }
}

/// Runs `body` in two concurrent tasks.
private func twoTasks(_ body: @escaping @Sendable (Int) -> Void) async {
  await withTaskGroup(of: Void.self) { group in
    for part in 0..<2 { group.addTask { body(part) } }
  }
}

/// The simplest cache: a dictionary with a lock.
private final class PlainCache: Sendable {
  let keys: [String]
  private let values: Mutex<[String: [UInt8]]>

  init() throws {
    keys = try (0..<512).map { try request($0).url }
    values = Mutex(Dictionary(uniqueKeysWithValues: keys.map { ($0, [1]) }))
  }

  func value(_ key: String) -> [UInt8]? { values.withLock { $0[key] } }
}

/// The cache of Foundation. `NSCache` is thread-safe, but does not conform to `Sendable`.
private final class FoundationCache: @unchecked Sendable {
  private final class Value {
    let bytes: [UInt8] = [1]
  }

  private let cache = NSCache<NSString, Value>()
  private let keys: [NSString]

  init() throws {
    keys = try (0..<512).map { NSString(string: try request($0).url) }
    for key in keys { cache.setObject(Value(), forKey: key) }
  }

  func value(_ index: Int) -> [UInt8]? { cache.object(forKey: keys[index])?.bytes }
}
