@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Previews, in virtual time")
struct PreviewTests {
  /// Returns a world in which the digits of a body arrive one by one, `pause` apart.
  private func world(
    pause: Duration = .milliseconds(60), limits: DecodingLimits = DecodingLimits(),
    _ result: @escaping @Sendable (TransportRequest) -> Result<TransportResponse, LoadError> = {
      $0.success()
    }
  ) -> NumberWorld {
    NumberWorld(limits: limits) { request in
      .init(
        after: .milliseconds(10), pieces: Array(repeating: .init(1, pause: pause), count: 6), result(request))
    }
  }

  /// Loads after `delay`. Returns a log of the previews and the value, each with its time in ms.
  private func load(
    _ world: NumberWorld, _ request: NumberRequest = NumberRequest(123_456), after delay: Duration = .zero
  ) -> Shared<[String]> {
    let log = Shared<[String]>([])
    let start = world.timeline.now
    let note: @Sendable (String) -> Void = { text in
      let time = (world.timeline.now - start) / .milliseconds(1)
      log.update { $0.append("\(Int(time)) \(text)") }
    }
    world.timeline.spawn {
      try? await world.timeline.sleep(for: delay)
      do throws(LoadError) {
        let loaded = try await world.loader.load(request) { note("\($0)") }
        note("\(loaded.value) from \(loaded.source)")
      } catch {
        note(error.kind.rawValue)
      }
    }
    return log
  }

  private let expected = ["110 -12", "210 -1234", "310 -123456", "370 123456 from network"]

  @Test("previews come at most every 100 ms, and the value comes with the last byte")
  func previews() async {
    let world = world()
    let log = load(world)
    world.time.run()
    #expect(log.value == expected)
    #expect(world.loader.counters.load.decodes == 1)
    #expect(await world.isIdle())
  }

  @Test("bytes that arrive too early for a preview are shown after the interval, even if no more arrive")
  func stalled() {
    let world = NumberWorld { request in
      .init(
        after: .milliseconds(10),
        pieces: [.init(1, pause: .milliseconds(5)), .init(2, pause: .milliseconds(500))], request.success())
    }
    let log = load(world)
    world.time.run()
    #expect(log.value == ["110 -123", "515 -123456", "515 123456 from network"])
  }

  @Test("a waiter that joins late gets the newest preview at once and shares the work")
  func late() async {
    let world = world()
    let (first, second) = (load(world), load(world, after: .milliseconds(150)))
    world.time.run()
    #expect(first.value == expected)
    #expect(second.value == ["150 -12"] + expected.dropFirst())
    #expect(world.origin.counters.started == 1)
    #expect(world.loader.counters.load.decodes == 1)
  }

  @Test("a load with previews joins a running load without them")
  func joiningLate() {
    let world = world()
    let plain = Shared(0)
    world.timeline.spawn { plain.value = (try? await world.loader.load(NumberRequest(123_456)).value) ?? -1 }
    let log = load(world, after: .milliseconds(150))
    world.time.run()
    #expect(plain.value == 123_456)
    // The first digits are kept, and are shown a tenth of a second after the second load has joined.
    #expect(log.value == ["250 -12345", "350 -123456", "370 123456 from network"])
  }

  @Test("two sizes of one body have separate previews and share the transfer")
  func twoKeys() {
    let world = world()
    let (single, double) = (load(world), load(world, NumberRequest(123_456, times: 2)))
    world.time.run()
    #expect(single.value == expected)
    #expect(double.value == ["110 -24", "210 -2468", "310 -246912", "370 246912 from network"])
    #expect(world.origin.counters.started == 1)
  }

  @Test("a body that arrives at once has no preview and is decoded once")
  func fastTransfer() {
    let world = NumberWorld()
    let log = load(world)
    world.time.run()
    #expect(log.value == ["10 123456 from network"])
    #expect(world.loader.counters.load.decodes == 1)
  }

  @Test("a preview is never stored as the value")
  func neverStored() async {
    let world = world { _ in .failure(LoadError(.tls, "distrusted")) }
    let log = load(world)
    world.time.run()
    #expect(log.value == ["10 tls"])
    let broken = self.world()
    let cached = Shared<[Int?]>([])
    broken.timeline.spawn {
      let task = broken.timeline.spawn {
        _ = try? await broken.loader.load(NumberRequest(123_456)) { _ in
          cached.update { $0.append(broken.loader.cached(NumberRequest(123_456))) }
        }
      }
      try? await broken.timeline.sleep(for: .milliseconds(200))
      task.cancel()
    }
    broken.time.run()
    #expect(cached.value == [nil])
    #expect(broken.loader.cached(NumberRequest(123_456)) == nil)
    #expect(await broken.isIdle())
  }

  @Test("a damaged body is reported once, as without previews")
  func damage() async {
    let world = world { request in
      .success(TransportResponse(status: 200, body: Array("12x456".utf8), url: request.url))
    }
    let log = load(world)
    world.time.run()
    #expect(log.value == ["110 -12", "370 corrupt"])
    #expect(world.loader.counters.load.decodingFailures == 1)
    #expect(await world.isIdle())
  }

  @Test("a load without spare memory has no previews, and other decodings take that memory back")
  func memory() async {
    var limits = DecodingLimits()
    limits.workingBytes = 16
    let world = world(limits: limits)
    let (first, second) = (load(world), load(world, NumberRequest(654_321)))
    // This decoding needs some of the 16 bytes that the first load has reserved.
    let other = Shared(0)
    world.timeline.spawn {
      try? await world.timeline.sleep(for: .milliseconds(180))
      let stored = LoadedBytes(bytes: Array("7".utf8), status: 200, headers: [:], source: .network)
      other.value = (try? await world.loader.decode(stored, for: NumberRequest(7))) ?? -1
    }
    world.time.run()
    #expect(first.value == ["110 -12", "370 123456 from network"])
    #expect(second.value == ["370 654321 from network"])
    #expect(other.value == 7)
    #expect(await world.isIdle())
  }

  @Test("loads with and without previews, cancelled at any time, leave nothing", arguments: 0..<20)
  func cancellation(seed: Int) async {
    var random = SplitMix64(seed: seed)
    let world = world()
    for _ in 0..<30 {
      let number = Int.random(in: 100_000...100_003, using: &random)
      let (start, end) = (Int.random(in: 0...600, using: &random), Int.random(in: 0...600, using: &random))
      let hasPreviews = Bool.random(using: &random)
      world.timeline.spawn {
        try? await world.timeline.sleep(for: .milliseconds(start))
        let task = world.timeline.spawn {
          do throws(LoadError) {
            let loaded =
              hasPreviews
              ? try await world.loader.load(NumberRequest(number)) { preview in
                #expect("\(number)".hasPrefix("\(-preview)"), "seed \(seed)")
              } : try await world.loader.load(NumberRequest(number))
            #expect(loaded.value == number, "seed \(seed)")
          } catch {
            #expect(error.kind == .cancelled, "seed \(seed)")
          }
        }
        try? await world.timeline.sleep(for: .milliseconds(end))
        task.cancel()
      }
    }
    world.time.run()
    #expect(await world.isIdle(), "seed \(seed)")
    #expect(world.origin.counters.duplicates == 0, "seed \(seed)")
  }
}
