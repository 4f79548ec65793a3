@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport

/// A loader of numbers in virtual time.
struct NumberWorld: TestWorld {
  let base: LoaderWorld
  let loader: ResourceLoader<NumberDecoder>

  /// A loader without a disk cache. By default each number arrives after 10 ms.
  init(
    memory: Int = 80_000, eviction: EvictionRule = .lru, configuration: ByteLoader.Configuration = .init(),
    limits: DecodingLimits = DecodingLimits(),
    answer: @escaping @Sendable (TransportRequest) -> ScriptedTransport.Answer = {
      .init(after: .milliseconds(10), $0.success())
    }
  ) {
    self.init(
      LoaderWorld(cacheLimit: nil) { $0 = configuration },
      memory: MemoryCache(limit: memory, eviction: eviction),
      limits: limits)
    origin.script("*", answer)
  }

  /// A loader over the byte loader of `base`.
  init(
    _ base: LoaderWorld, memory: MemoryCache<Int, Int> = MemoryCache(limit: 80_000),
    limits: DecodingLimits = DecodingLimits(), reuse: MemoryReuse = .untilEvicted
  ) {
    self.base = base
    loader = ResourceLoader(
      bytes: base.bytes, decoder: NumberDecoder(), memory: memory, reuse: reuse, limits: limits)
  }

  /// True when no work runs, waits or is in flight.
  func isIdle() async -> Bool {
    let loader = await loader.activity
    return await base.isIdle() && loader == (0, 0)
  }
}
