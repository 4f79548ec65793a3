import Benchmark
import Cellophane

/// Registers the benchmarks of coalescing, slots and prefetching.
func loaderBenchmarks() {
  // The cost of each of 10 000 callers of one image, including its task. All callers join before the response
  // arrives. To remove the 300 ms of waiting, subtract the result of the next benchmark.
  Benchmark("10 000 callers of one image", configuration: .init(maxIterations: 20)) { benchmark in
    for _ in benchmark.scaledIterations {
      let world = try PictureWorld(delay: answerDelay)
      benchmark.startMeasurement()
      await callers(10_000) { _ = try? await world.loader.load(world.requests[0]) }
      benchmark.stopMeasurement()
      precondition(world.transport.requests.count == 1)
    }
  }

  Benchmark("10 000 tasks that only sleep", configuration: .init(maxIterations: 20)) { benchmark in
    for _ in benchmark.scaledIterations { await callers(10_000) { try? await Task.sleep(for: answerDelay) } }
  }

  Benchmark("slot rebind, memory hit", configuration: .init(scalingFactor: .kilo)) { benchmark, world in
    await rebind(world, count: benchmark.scaledIterations.count)
  } setup: {
    try await PictureWorld.filled()
  }

  Benchmark("slot rebind, load started and cancelled", configuration: .init(scalingFactor: .kilo)) {
    benchmark, world in
    await rebind(world, count: benchmark.scaledIterations.count)
  } setup: {
    try PictureWorld(delay: .seconds(3_600))
  }

  Benchmark("prefetch window moves by one row", configuration: .init(scalingFactor: .kilo)) {
    benchmark, world in
    await prefetch(world, count: benchmark.scaledIterations.count)
  } setup: {
    try await PictureWorld.filled()
  }
}

// Longer than the time in which all callers join, so that no caller finds the value in memory.
private let answerDelay = Duration.milliseconds(300)

private func callers(_ count: Int, _ body: @escaping @Sendable () async -> Void) async {
  await withTaskGroup(of: Void.self) { group in
    for _ in 0..<count { group.addTask { await body() } }
  }
}

@MainActor
private func rebind(_ world: PictureWorld, count: Int) {
  let slot = Slot(world.loader)
  for index in 0..<count { slot.show(world.requests[index & 511]) }
  slot.show(nil)
}

@MainActor
private func prefetch(_ world: PictureWorld, count: Int) {
  let prefetcher = Prefetcher(world.loader)
  for index in 0..<count {
    let start = index & 255
    prefetcher.show(Array(world.requests[start..<start + 16]), visible: [])
  }
}
