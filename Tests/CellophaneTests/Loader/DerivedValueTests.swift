@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Values derived from others, in virtual time")
struct DerivedValueTests {
  @Test("chains that are loaded at once share the bytes, the decoding and each equal prefix")
  func sharing() async {
    let world = StepWorld()
    let results = Shared<[String]>([])
    for steps in [[1, 2], [1, 3], [1, 2, 4], [1], []] {
      world.load(world.request(7, steps: steps), into: results)
    }
    world.time.run()
    #expect(
      results.value.sorted() == ["7 network", "71 network", "712 network", "7124 network", "713 network"])
    #expect(world.steps.sorted { $0.lexicographicallyPrecedes($1) } == [[1], [1, 2], [1, 2, 4], [1, 3]])
    #expect(world.origin.counters.started == 1)
    #expect(world.loader.counters.load.decodes == 1)
    #expect(await world.isIdle())
  }

  @Test("memory keeps the values that were asked for, and not the ones in between")
  func memory() {
    let world = StepWorld()
    let results = Shared<[String]>([])
    world.load(world.request(7, 1, 2), into: results)
    world.time.run()
    #expect(world.loader.cached(world.request(7, 1, 2)) == 712)
    #expect(world.loader.cached(world.request(7, 1)) == nil)
    #expect(world.loader.cached(world.request(7)) == nil)
    #expect(world.loader.memory.count == 1)
  }

  @Test("a value that is asked for while others are derived from it is kept")
  func memoryOfBase() {
    let world = StepWorld()
    let results = Shared<[String]>([])
    world.load(world.request(7, 1, 2), into: results)
    world.load(world.request(7, 1), after: .milliseconds(5), into: results)
    world.time.run()
    #expect(world.loader.cached(world.request(7, 1)) == 71)
    #expect(world.loader.memory.count == 2)
    #expect(world.steps == [[1], [1, 2]])
  }

  @Test("a base in memory answers without its bytes")
  func baseInMemory() {
    let world = StepWorld()
    let results = Shared<[String]>([])
    world.load(world.request(7), into: results)
    world.load(world.request(7, 1), after: .seconds(1), into: results)
    world.time.run()
    #expect(results.value == ["7 network", "71 memory"])
    #expect(world.origin.counters.started == 1)
  }

  @Test("a reload asks the origin, and replaces a base in memory")
  func reload() {
    let world = StepWorld()
    world.origin.script("http://h/7", .ok("7", [:]), .ok("8", [:]))
    let results = Shared<[String]>([])
    world.load(world.request(7), into: results)
    world.load(world.request(7, 1, policy: .reload), after: .seconds(1), into: results)
    world.time.run()
    #expect(results.value == ["7 network", "81 network"])
    #expect(world.loader.cached(world.request(7)) == 8)
  }

  @Test("steps run before waiting decodings, so that few bases are in memory", arguments: Priority.allCases)
  func order(priority: Priority) {
    let world = StepWorld(limits: DecodingLimits(decoders: 2))
    let results = Shared<[String]>([])
    for number in 1...100 { world.load(world.request(number, 1, 2, priority: priority), into: results) }
    world.time.run()
    #expect(results.value.count == 100)
    var (bases, peak) = (0, 0)
    // Each value has one decoding and two steps, of which the last one releases the base.
    for isDecoding in world.loader.decoder.order.value {
      bases += isDecoding ? 2 : -1
      peak = max(peak, bases)
    }
    #expect(bases == 0 && peak <= 16, "\(peak)")
  }

  @Test("a failed step fails its chains only, and is reported")
  func failedStep() async {
    let world = StepWorld(failing: 3)
    let results = Shared<[String]>([])
    for steps in [[3, 2], [1]] { world.load(world.request(7, steps: steps), into: results) }
    world.time.run()
    #expect(results.value.sorted() == ["71 network", "invalid-request"])
    #expect(world.loader.counters.load.decodingFailures == 1)
    #expect(await world.isIdle())
  }

  @Test("an observer gets the details of the failed transfer of the base")
  func observer() throws {
    let world = StepWorld { _ in .status(500) }
    let observer = FetchObserver()
    let error = Shared<LoadError?>(nil)
    world.timeline.spawn {
      do throws(LoadError) {
        _ = try await world.loader.load(world.request(7, 1, 2), observer: observer)
      } catch let failure {
        error.value = failure
      }
    }
    world.time.run()
    #expect(error.value?.status == 500)
    #expect(observer.failure?.attempts == 1)
  }

  @Test("each preview of the base is derived")
  func previews() async {
    let world = StepWorld { request in
      .init(
        after: .milliseconds(10), pieces: Array(repeating: .init(1, pause: .milliseconds(60)), count: 6),
        request.success())
    }
    let shown = Shared<[Int]>([])
    world.timeline.spawn {
      let loaded = try? await world.loader.load(world.request(123_456, 7, 8)) { preview in
        shown.update { $0.append(preview) }
      }
      shown.update { $0.append(loaded?.value ?? 0) }
    }
    world.time.run()
    #expect(shown.value == [-1_278, -123_478, -12_345_678, 12_345_678])
    #expect(world.loader.counters.load.decodes == 1)
    #expect(await world.isIdle())
  }

  @Test("a caller that leaves does not end the work of others, and the last one ends the transfer")
  func cancellation() async {
    let world = StepWorld { .init(after: .seconds(10), $0.success()) }
    let results = Shared<[String]>([])
    let first = world.load(world.request(7, 1, 2), into: results)
    let second = world.load(world.request(7, 1, 3), into: results)
    world.base.advance(.seconds(1))
    first.cancel()
    world.base.advance(.seconds(1))
    #expect(results.value == ["cancelled"])
    #expect(world.origin.counters.cancelled == 0)
    second.cancel()
    world.time.run()
    #expect(results.value == ["cancelled", "cancelled"])
    #expect(world.origin.counters.cancelled == 1)
    #expect(world.steps.isEmpty)
    #expect(await world.isIdle())
  }

  @Test("a slot replaces a stale derived value by the one of the new bytes")
  func refresh() async {
    let world = StepWorld(cacheLimit: DiskCache.defaultLimit)
    let headers: HeaderFields = ["cache-control": "max-age=10, stale-while-revalidate=1000"]
    world.origin.script("http://h/7", .ok("7", headers), .ok("8", headers))
    let screen = StepScreen(world.loader)
    world.time.run {
      await screen.show(world.request(7, 1))
      try? await world.timeline.sleep(for: .seconds(20))
      await screen.show(nil)
      await screen.show(world.request(7, 1))
      try? await world.timeline.sleep(for: .seconds(1))
    }
    #expect(
      screen.states == ["loading", "71 from network", "empty", "71 from memory", "81 from network"])
    #expect(world.loader.cached(world.request(7, 1)) == 81)
    await screen.release()
    #expect(await world.isIdle())
  }

  @Test("a value derived from stale bytes is refreshed with them")
  func refreshOfStaleBase() {
    let world = StepWorld(cacheLimit: DiskCache.defaultLimit)
    let headers: HeaderFields = ["cache-control": "max-age=10, stale-while-revalidate=1000"]
    world.origin.script("http://h/7", .ok("7", headers), .ok("8", headers))
    let results = Shared<[String]>([])
    world.load(world.request(7, 2), into: results)
    world.load(world.request(7, 1), after: .seconds(20), into: results)
    world.time.run()
    #expect(results.value == ["72 network", "71 disk"])
    #expect(world.loader.cached(world.request(7, 1)) == 81)
    #expect(world.origin.counters.started == 2)
  }
}

/// A screen with one slot of derived values.
actor StepScreen {
  private var slot: Slot<StepDecoder>?
  private let log = Shared<[String]>([])
  /// The states passed to the display, in order.
  nonisolated var states: [String] { log.value }

  init(_ loader: ResourceLoader<StepDecoder>) {
    slot = Slot(loader) { [log] state in log.update { $0.append(state.text) } }
  }

  func show(_ request: Request<[Int]>?) { slot?.show(request) }
  func release() { slot = nil }
}
