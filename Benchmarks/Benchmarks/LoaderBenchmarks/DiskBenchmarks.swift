import Benchmark
import Cellophane
import Foundation

/// Registers the benchmarks of the disk cache, with responses of 20 KB in a temporary directory.
func diskBenchmarks() {
  Benchmark("disk put, 20 KB", configuration: .init(maxIterations: 10_000)) { benchmark, store in
    for _ in benchmark.scaledIterations { await store.put(benchmark.currentIteration) }
  } setup: {
    try Store()
  }

  Benchmark("disk get, 20 KB, checksum verified", configuration: .init(maxIterations: 10_000)) {
    benchmark, store in
    for _ in benchmark.scaledIterations { blackHole(await store.get(benchmark.currentIteration & 511)) }
  } setup: { () async throws -> Store in
    let store = try Store()
    for number in 0..<512 { await store.put(number) }
    return store
  }
}

/// A disk cache with the keys and the body that the benchmarks use.
private final class Store: Sendable {
  private let directory = FileManager.default.temporaryDirectory.appending(
    path: "cellophane-\(UUID().uuidString)")
  private let cache: DiskCache
  private let keys: [ResponseKey]
  private let body = (0..<20_480).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  init() throws {
    cache = DiskCache(directory: directory.path, limit: 1 << 30)
    keys = try (0..<20_000).map { try request($0).key.response }
  }

  func put(_ number: Int) async {
    let response = StoredResponse(
      status: 200, headers: ["Cache-Control": "max-age=3600", "Content-Type": "image/jpeg"], body: body,
      storedAt: 1_800_000_000)
    await cache.store(response, for: keys[number % keys.count])
  }

  func get(_ number: Int) async -> StoredResponse? { await cache.response(for: keys[number]) }

  deinit { try? FileManager.default.removeItem(at: directory) }
}
