@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Transfers that lose their last waiter, in virtual time")
struct AbandonmentTests {
  /// A byte loader. Its origin sends the first of ten bytes after 100 ms, and another one every 20 ms.
  struct World: TestWorld {
    let base: LoaderWorld
    /// The decisions about transfers without waiters.
    let decisions = Shared<[Abandonment]>([])

    init(
      hasDisk: Bool = true, headers: HeaderFields = [:], stallsAfter: Int? = nil, breaking: LoadError? = nil,
      handshakes: Duration? = nil, sharesConnection: Bool = false
    ) {
      base = hasDisk ? LoaderWorld() : LoaderWorld(cacheLimit: nil)
      var all: HeaderFields = [
        "Content-Length": "10", "Cache-Control": "max-age=60", "ETag": "\"a\"", "Accept-Ranges": "bytes",
      ]
      for field in headers.fields { all[field.name] = field.value.isEmpty ? nil : field.value }
      var response = TransportResponse(status: 200, headers: all, body: Array("0123456789".utf8), url: "")
      response.sharesConnection = sharesConnection
      origin.script(
        "*",
        .init(
          after: .milliseconds(100),
          pieces: (0..<(breaking == nil ? 10 : 9)).map {
            .init(1, pause: $0 == stallsAfter ? .seconds(30) : .milliseconds(20))
          },
          .success(response), breaking: breaking, handshakes: handshakes))
    }

    /// Loads once for each of `milliseconds`, and cancels that load after this time. Returns the time and the
    /// result of each load.
    func cancelLoads(after milliseconds: [Int]) -> [String] {
      let ends = Shared<[String]>([])
      timeline.spawn {
        for await event in bytes.events.events() {
          if let decision = event.abandonment { decisions.update { $0.append(decision) } }
        }
      }
      timeline.spawn {
        for milliseconds in milliseconds {
          let task = timeline.spawn {
            var end = ""
            do throws(LoadError) {
              end = try await bytes.load(NumberRequest(1)).source.rawValue
            } catch { end = error.kind.rawValue }
            let text = "\(Int(timeline.now / .milliseconds(1))) \(end)"
            ends.update { $0.append(text) }
          }
          try? await timeline.sleep(for: .milliseconds(milliseconds))
          task.cancel()
        }
      }
      time.run()
      return ends.value
    }
  }

  @Test("settling waits until the prefix of a cancelled load is stored, and leaves no lease")
  func settling() throws {
    let world = World(stallsAfter: 5)
    let remaining = Shared<[String]?>(nil)
    let timeline = world.timeline
    timeline.spawn {
      let load = timeline.spawn { _ = try? await world.bytes.load(NumberRequest(1)) }
      try? await timeline.sleep(for: .milliseconds(250))
      load.cancel()
      await world.bytes.settle()
      remaining.value = Array(world.files.files.keys)
    }
    world.time.run()
    let names = try #require(remaining.value)
    #expect(world.files.prefixes.count == 1 && names.count == 2 && !names.contains { $0.contains("-lease-") })
    #expect(world.files.files.count == names.count)
  }

  // At 100 + 20 n ms, n + 1 bytes have arrived, at a rate of (n + 1) / 20 n bytes per ms.
  @Test("a transfer that ends sooner than a new response would begin is finished into the cache")
  func finished() async throws {
    let world = World()
    // After 230 ms, 7 bytes are present and 3 are missing. At 7 bytes in 130 ms they take 56 ms, which is
    // less than the round trip of 100 ms.
    #expect(world.cancelLoads(after: [230, 1_000]) == ["230 cancelled", "300 network"])
    let decision = try #require(world.decisions.value.first)
    #expect(
      decision.goesOn && decision.received == 7 && decision.remaining == 3
        && decision.roundTrip == .milliseconds(100))
    #expect(decision.rate.map { abs($0 - 7 / 0.13) < 0.001 } == true)
    let counters = world.bytes.events.counters
    #expect(world.origin.counters.started == 1 && world.origin.counters.cancelled == 0)
    #expect(counters.finishedUnawaited == 1 && counters.savedBytes == 7 && counters.wastedBytes == 0)
    #expect(await world.bytes.activity == (0, 0, 0))
  }

  @Test("a caller that joins a transfer without waiters waits for it")
  func awaited() {
    let body = SharedBody()
    let former = body.begin(NumberRequest(1).key.response)
    let exchange = body.begin(NumberRequest(1).key.response)
    #expect(!body.noteLeft(former, with: 7) && body.isAwaited)
    #expect(body.noteLeft(exchange, with: 7) && !body.isAwaited)
    #expect(body.noteJoined() && body.isAwaited && !body.giveUp())
    #expect(body.endExchange() == 7 && !body.noteLeft(exchange, with: 8))
  }

  @Test("a caller cannot join a transfer that has given up")
  func givenUp() {
    let body = SharedBody()
    let exchange = body.begin(NumberRequest(1).key.response)
    #expect(body.noteLeft(exchange, with: 7) && body.giveUp() && !body.noteJoined() && !body.isAwaited)
  }

  @Test("the next load gets the finished response from the cache")
  func cached() {
    let world = World()
    #expect(world.cancelLoads(after: [230, 0]).first == "230 cancelled")
    #expect(world.cancelLoads(after: [1_000]).last == "300 disk" && world.origin.counters.started == 1)
  }

  @Test("a transfer that would take longer is cancelled, and its prefix is stored")
  func cancelled() async throws {
    let world = World()
    // After 150 ms, 3 bytes are present and 7 are missing. At 3 bytes in 50 ms they take 117 ms.
    #expect(world.cancelLoads(after: [150]) == ["150 cancelled"])
    let decision = try #require(world.decisions.value.first)
    #expect(!decision.goesOn && decision.received == 3 && decision.remaining == 7)
    let counters = world.bytes.events.counters
    #expect(world.origin.counters.cancelled == 1 && counters.aborted == 1)
    #expect(counters.wastedBytes == 3 && counters.savedBytes == 0)
    let prefix = world.time.run {
      await world.bytes.disk?.prefix(for: NumberRequest(1).key.response)?.bytes.count
    }
    #expect(prefix == 3)
    #expect(await world.bytes.activity == (0, 0, 0))
  }

  @Test(
    "the decision counts the handshakes of a new connection, unless cancelling closes none",
    arguments: [(nil, false, false), (60, false, true), (60, true, false), (10, false, false)])
  func handshakesOfANewConnection(connection: (handshakes: Int?, isShared: Bool, goesOn: Bool)) throws {
    let world = World(
      handshakes: connection.handshakes.map { .milliseconds($0) }, sharesConnection: connection.isShared)
    // After 150 ms, 3 bytes are present and 7 are missing. At 3 bytes in 50 ms they take 117 ms, which is
    // more than the round trip of 100 ms.
    _ = world.cancelLoads(after: [150])
    let decision = try #require(world.decisions.value.first)
    #expect(decision.goesOn == connection.goesOn && decision.awaited == .zero)
    #expect(
      decision.handshakes == .milliseconds(connection.isShared ? 0 : connection.handshakes ?? 0))
    #expect(world.origin.counters.cancelled == (connection.goesOn ? 0 : 1))
  }

  @Test("before the head, the expected size and rate are those of the origin's other bodies")
  func expected() throws {
    let world = World(headers: ["Cache-Control": "no-cache", "ETag": ""], handshakes: .milliseconds(250))
    // The first body is complete after 300 ms. The second load is cancelled 60 ms after its request: its head
    // is expected in 40 ms, and its body takes 200 ms.
    #expect(world.cancelLoads(after: [400, 60, 1_000]).last == "700 network")
    let decision = try #require(world.decisions.value.first)
    #expect(decision.goesOn && decision.received == 0 && decision.remaining == 10)
    #expect(decision.awaited == .milliseconds(40) && decision.handshakes == .milliseconds(250))
    #expect(world.origin.counters.started == 2 && world.origin.counters.cancelled == 0)
  }

  @Test("a visible load lowers the transfer limit if it is cancelled while its body arrives")
  func narrowed() {
    for (time, transfers) in [(50, [Int]()), (150, [3])] {
      let world = World()
      let narrowed = Shared<[Int]>([])
      let timeline = world.timeline
      timeline.spawn {
        for await event in world.bytes.events.events() {
          if case .narrowed(_, let transfers) = event.kind { narrowed.update { $0.append(transfers) } }
        }
      }
      timeline.spawn {
        let load = timeline.spawn {
          _ = try? await world.bytes.load(NumberRequest(1, priority: .visible))
        }
        try? await timeline.sleep(for: .milliseconds(time))
        load.cancel()
      }
      world.time.run()
      #expect(narrowed.value == transfers)
    }
  }

  @Test("a transfer that cannot be stored or has an unknown size is cancelled")
  func notWorthFinishing() {
    for world in [
      World(hasDisk: false), World(headers: ["Cache-Control": "no-store"]),
      World(headers: ["Content-Length": ""]),
      World(headers: ["Content-Encoding": "gzip"]),
    ] {
      #expect(world.cancelLoads(after: [230]) == ["230 cancelled"])
      #expect(world.origin.counters.cancelled == 1 && world.decisions.value.map(\.goesOn) == [false])
    }
  }

  @Test("a transfer without a head from an unmeasured origin is cancelled")
  func unmeasured() {
    let world = World()
    #expect(world.cancelLoads(after: [50]) == ["50 cancelled"])
    #expect(world.origin.counters.cancelled == 1)
    #expect(
      world.decisions.value == [Abandonment(received: 0, remaining: nil, elapsed: .zero, roundTrip: nil)])
  }

  @Test("a transfer that takes longer than estimated is cancelled after a round trip")
  func stalled() async {
    let world = World(stallsAfter: 7)
    #expect(world.cancelLoads(after: [250]) == ["250 cancelled"])
    // Cancelled at 350 ms, not at 30 s.
    #expect(world.time.now.nanoseconds == 350_000_000)
    let counters = world.bytes.events.counters
    #expect(counters.aborted == 1 && counters.wastedBytes == 8 && counters.savedBytes == 0)
    #expect(world.origin.counters.cancelled == 1)
    #expect(await world.bytes.activity == (0, 0, 0))
  }

  @Test("a caller that joins a transfer without waiters keeps it running to its end")
  func joined() async {
    let world = World(stallsAfter: 7)
    #expect(world.cancelLoads(after: [250, 60_000]) == ["250 cancelled", "30280 network"])
    #expect(world.origin.counters.started == 1 && world.origin.counters.duplicates == 0)
    #expect(await world.bytes.activity == (0, 0, 0))
  }

  @Test("a transfer that breaks without waiters stores its prefix and is not retried")
  func breaksWithoutWaiters() async {
    let world = World(breaking: LoadError(.connectionLost, "broke", isRetryable: true))
    #expect(world.cancelLoads(after: [250]) == ["250 cancelled"])
    #expect(world.origin.counters.started == 1 && world.bytes.events.counters.finishedUnawaited == 0)
    let prefix = world.time.run {
      await world.bytes.disk?.prefix(for: NumberRequest(1).key.response)?.bytes.count
    }
    #expect(prefix == 9)
    #expect(await world.bytes.activity == (0, 0, 0))
  }

  @Test(
    "a transfer continues if the rest takes less time than a round trip",
    arguments: [
      (10, 0, 100, 1, true), (10, 9, 100, 100, true), (10, 10, 100, 100, false), (10, 11, 100, 100, false),
      (1, 99, 1, 100, true), (1, 100, 1, 100, false), (0, 10, 100, 100, false), (10, 0, 0, 100, false),
    ])
  func decision(received: Int, remaining: Int, elapsed: Int, roundTrip: Int, goesOn: Bool) {
    let decision = Abandonment(
      received: received, remaining: remaining, elapsed: .milliseconds(elapsed),
      roundTrip: .milliseconds(roundTrip))
    #expect(decision.goesOn == goesOn)
  }

  @Test("the handshake time is a moving mean, and zero where exchanges share a connection")
  func handshakes() {
    let trips = LatencyEstimator()
    let origin = Origin(scheme: "https", host: "a", port: 443)
    #expect(trips.handshakes(of: origin) == .zero)
    trips.note(handshakes: .milliseconds(100), of: origin)
    trips.note(handshakes: .milliseconds(180), of: origin)
    #expect(trips.handshakes(of: origin) == .milliseconds(110) && trips.mean(of: origin) == nil)
    trips.note(.milliseconds(1), isShared: true, of: origin)
    #expect(trips.handshakes(of: origin) == .zero)
    trips.note(.milliseconds(1), of: origin)
    #expect(trips.handshakes(of: origin) == .milliseconds(110))
  }

  @Test("the round trip is a moving mean, for a bounded number of origins")
  func roundTrips() {
    let trips = LatencyEstimator()
    let origin = Origin(scheme: "http", host: "a", port: 80)
    #expect(trips.mean(of: origin) == nil)
    trips.note(.milliseconds(100), of: origin)
    trips.note(.milliseconds(180), of: origin)
    #expect(trips.mean(of: origin) == .milliseconds(110))
    for number in 0..<LatencyEstimator.mostOrigins {
      trips.note(.zero, of: Origin(scheme: "http", host: "\(number)", port: 80))
    }
    #expect(trips.mean(of: origin) == nil)
  }

  @Test(
    "cancelled and joining loads share one transfer at a time, get one result each and leave nothing",
    arguments: 0..<10)
  func stress(seed: Int) async {
    let world = World(stallsAfter: seed % 3 == 0 ? 8 : nil)
    var random = SplitMix64(seed: seed)
    let results = Shared(0)
    for _ in 0..<500 {
      let start = Duration.milliseconds(Int.random(in: 0..<15_000, using: &random))
      let end = start + .milliseconds(Int.random(in: 0..<400, using: &random))
      let task = world.timeline.spawn {
        try? await world.timeline.sleep(for: start)
        do throws(LoadError) {
          // Reloads, so that only a running transfer answers, and never the cache.
          let loaded = try await world.bytes.load(NumberRequest(1, policy: .reload))
          #expect(loaded.bytes == Array("0123456789".utf8), "seed \(seed)")
        } catch {
          #expect(error == .cancelled, "seed \(seed)")
        }
        results.update { $0 += 1 }
      }
      world.timeline.spawn {
        try? await world.timeline.sleep(for: end)
        task.cancel()
      }
    }
    world.time.run()
    let counters = world.bytes.events.counters
    #expect(results.value == 500, "seed \(seed)")
    #expect(world.origin.counters.duplicates == 0, "seed \(seed)")
    #expect(counters.transfers == counters.completed + counters.aborted, "seed \(seed)")
    #expect(counters.receivedBytes == counters.completed * 10 + counters.wastedBytes, "seed \(seed)")
    #expect(await world.bytes.activity == (0, 0, 0), "seed \(seed)")
  }
}
