import Benchmark
import Cellophane

/// Coalescing, slots and prefetching.
func loaderBenchmarks() {
  // Ten thousand callers of one URL, all there before the answer: what each costs, its task included.
  Benchmark("coalesced join, 10 000 callers", configuration: .init(maxIterations: 20)) { benchmark in
    // Longer than the callers need to join, so that none of them finds the value in memory.
    let delay = Duration.milliseconds(300)
    for _ in benchmark.scaledIterations {
      let world = try World(delay: delay)
      benchmark.startMeasurement()
      await callers(10_000) { _ = try? await world.loader.load(world.requests[0]) }
      benchmark.stopMeasurement()
    }
  }

  // The same tasks without a loader, to take away from the row above; the answer's 300 ms are not in here.
  Benchmark("10 000 tasks that only suspend", configuration: .init(maxIterations: 20)) { benchmark in
    for _ in benchmark.scaledIterations { await callers(10_000) { await Task.yield() } }
  }

  Benchmark("slot rebind, memory hit", configuration: .init(scalingFactor: .kilo)) { benchmark, world in
    await rebind(world, count: benchmark.scaledIterations.count)
  } setup: {
    try await World.filled()
  }

  Benchmark("slot rebind, load begun and cancelled", configuration: .init(scalingFactor: .kilo)) {
    benchmark, world in
    await rebind(world, count: benchmark.scaledIterations.count)
  } setup: {
    try World(delay: .seconds(3_600))
  }

  Benchmark("prefetch window moves a row", configuration: .init(scalingFactor: .kilo)) { benchmark, world in
    await prefetch(world, count: benchmark.scaledIterations.count)
  } setup: {
    try await World.filled()
  }
}

private func callers(_ count: Int, _ body: @escaping @Sendable () async -> Void) async {
  await withTaskGroup(of: Void.self) { group in
    for _ in 0..<count { group.addTask { await body() } }
  }
}

@MainActor
private func rebind(_ world: World, count: Int) {
  let slot = Slot(world.loader)
  for index in 0..<count { slot.show(world.requests[index & 511]) }
  slot.show(nil)
}

@MainActor
private func prefetch(_ world: World, count: Int) {
  let prefetcher = Prefetcher(world.loader)
  for index in 0..<count {
    let start = index & 255
    prefetcher.show(Array(world.requests[start..<start + 16]))
  }
}
