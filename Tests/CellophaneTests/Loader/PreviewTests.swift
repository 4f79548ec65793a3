@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("PreviewSubscribers, in virtual time")
struct PreviewTests {
  /// A world where digits arrive one by one, `pause` apart.
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

  private func load(
    _ world: NumberWorld, _ request: NumberRequest = NumberRequest(123_456), after delay: Duration = .zero
  ) -> Shared<[String]> {
    let log = Shared<[String]>([])
    let start = world.timeline.now
    let note: @Sendable (String) -> Void = { what in
      let time = (world.timeline.now - start) / .milliseconds(1)
      log.update { $0.append("\(Int(time)) \(what)") }
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

  @Test("at most one every 100 ms, the newest there is; the value with the last byte")
  func previews() async {
    let world = world()
    let log = load(world)
    world.time.run()
    #expect(log.value == expected)
    #expect(world.loader.counters.load.decodes == 1)
    #expect(await world.isQuiet())
  }

  @Test("what came too early for a preview is shown when its time has come, though nothing else arrives")
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

  @Test("a late waiter gets the newest at once, and the work is shared")
  func late() async {
    let world = world()
    let (first, second) = (load(world), load(world, after: .milliseconds(150)))
    world.time.run()
    #expect(first.value == expected)
    #expect(second.value == ["150 -12"] + expected.dropFirst())
    #expect(world.transport.counters.started == 1)
    #expect(world.loader.counters.load.decodes == 1)
  }

  @Test("one who wants previews joins one who does not, in the middle of the transfer")
  func joiningLate() {
    let world = world()
    let plain = Shared(0)
    world.timeline.spawn { plain.value = (try? await world.loader.load(NumberRequest(123_456)).value) ?? -1 }
    let log = load(world, after: .milliseconds(150))
    world.time.run()
    #expect(plain.value == 123_456)
    // The digits of the beginning are still there; a tenth of a second after joining they are shown.
    #expect(log.value == ["250 -12345", "350 -123456", "370 123456 from network"])
  }

  @Test("two sizes of one body have previews of their own and share the transfer")
  func twoKeys() {
    let world = world()
    let (single, double) = (load(world), load(world, NumberRequest(123_456, times: 2)))
    world.time.run()
    #expect(single.value == expected)
    #expect(double.value == ["110 -24", "210 -2468", "310 -246912", "370 246912 from network"])
    #expect(world.transport.counters.started == 1)
  }

  @Test("nothing is decoded ahead when nobody asks, and what arrives at once has no preview")
  func unasked() {
    let world = NumberWorld()
    let log = load(world)
    world.time.run()
    #expect(log.value == ["10 123456 from network"])
    #expect(world.loader.counters.load.decodes == 1)
  }

  @Test("a preview is never kept as the value")
  func neverKept() async {
    let world = world { _ in .failure(LoadError(.tls, "distrusted")) }
    let log = load(world)
    world.time.run()
    #expect(log.value == ["10 tls"])
    let broken = self.world()
    let seen = Shared<[Int?]>([])
    broken.timeline.spawn {
      let task = broken.timeline.spawn {
        _ = try? await broken.loader.load(NumberRequest(123_456)) { _ in
          seen.update { $0.append(broken.loader.cached(NumberRequest(123_456))) }
        }
      }
      try? await broken.timeline.sleep(for: .milliseconds(200))
      task.cancel()
    }
    broken.time.run()
    #expect(seen.value == [nil])
    #expect(broken.loader.cached(NumberRequest(123_456)) == nil)
    #expect(await broken.isQuiet())
  }

  @Test("damage is told once, as without previews")
  func damage() async {
    let world = world { request in
      .success(TransportResponse(status: 200, body: Array("12x456".utf8), url: request.url))
    }
    let log = load(world)
    world.time.run()
    #expect(log.value == ["110 -12", "370 corrupt"])
    #expect(world.loader.counters.load.decodingFailures == 1)
    #expect(await world.isQuiet())
  }

  @Test("without memory to spare there are none; what needs the memory takes it back")
  func memory() async {
    var limits = DecodingLimits()
    limits.workingBytes = 16
    let world = world(limits: limits)
    let (first, second) = (load(world), load(world, NumberRequest(654_321)))
    // A quick one in between needs some of the 16 bytes that the first has set aside.
    let quick = Shared(0)
    world.timeline.spawn {
      try? await world.timeline.sleep(for: .milliseconds(180))
      let stored = LoadedBytes(bytes: Array("7".utf8), status: 200, headers: [:], source: .network)
      quick.value = (try? await world.loader.decode(stored, for: NumberRequest(7))) ?? -1
    }
    world.time.run()
    #expect(first.value == ["110 -12", "370 123456 from network"])
    #expect(second.value == ["370 654321 from network"])
    #expect(quick.value == 7)
    #expect(await world.isQuiet())
  }

  @Test("cancelled at any time: nothing is left", arguments: 0..<20)
  func cancellation(seed: Int) async {
    var random = SplitMix64(seed: seed)
    let world = world()
    for _ in 0..<30 {
      let number = Int.random(in: 100_000...100_003, using: &random)
      let (start, end) = (Int.random(in: 0...600, using: &random), Int.random(in: 0...600, using: &random))
      let wantsPreviews = Bool.random(using: &random)
      world.timeline.spawn {
        try? await world.timeline.sleep(for: .milliseconds(start))
        let task = world.timeline.spawn {
          do throws(LoadError) {
            let loaded =
              wantsPreviews
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
    #expect(await world.isQuiet(), "seed \(seed)")
    #expect(world.transport.counters.duplicates == 0, "seed \(seed)")
  }
}
