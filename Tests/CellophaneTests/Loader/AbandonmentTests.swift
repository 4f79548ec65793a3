@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("When the last waiter leaves, in virtual time")
struct AbandonmentTests {
  /// A byte loader whose origin sends its first byte after 100 ms, then ten bytes, one every 20 ms.
  struct World: Sendable {
    let time = VirtualTime()
    let timeline: Timeline
    let files = MemoryFileSystem()
    let transport: ScriptedTransport
    let bytes: ByteLoader
    let choices = Shared<[Abandonment]>([])

    init(
      hasDisk: Bool = true, headers: HeaderFields = [:], stallsAfter: Int? = nil, breaking: LoadError? = nil,
      handshakes: Duration? = nil, sharesConnection: Bool = false
    ) {
      let timeline = time.timeline()
      self.timeline = timeline
      transport = ScriptedTransport(timeline: timeline) { request in
        var all: HeaderFields = [
          "Content-Length": "10", "Cache-Control": "max-age=60", "ETag": "\"a\"", "Accept-Ranges": "bytes",
        ]
        for field in headers.fields { all[field.name] = field.value.isEmpty ? nil : field.value }
        var response = TransportResponse(
          status: 200, headers: all, body: Array("0123456789".utf8), url: request.url)
        response.sharesConnection = sharesConnection
        return .init(
          after: .milliseconds(100),
          pieces: (0..<(breaking == nil ? 10 : 9)).map {
            .init(1, pause: $0 == stallsAfter ? .seconds(30) : .milliseconds(20))
          },
          .success(response), breaking: breaking, handshakes: handshakes)
      }
      bytes = ByteLoader(
        transport: transport,
        disk: hasDisk
          ? DiskCache(directory: "/cache", fileSystem: files, executor: time.lane(), timeline: timeline)
          : nil,
        timeline: timeline)
    }

    /// Loads, leaves after each of `times` in turn, and tells how each load ended and when.
    func leave(after milliseconds: [Int]) -> [String] {
      let ends = Shared<[String]>([])
      timeline.spawn {
        for await event in bytes.events.events() {
          if case .abandoned(_, let choice) = event.kind { choices.update { $0.append(choice) } }
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

  @Test("settling waits for what is kept of a load that was left, and leaves no lease")
  func settled() throws {
    let world = World(stallsAfter: 5)
    let left = Shared<[String]?>(nil)
    let timeline = world.timeline
    timeline.spawn {
      let load = timeline.spawn { _ = try? await world.bytes.load(NumberRequest(1)) }
      try? await timeline.sleep(for: .milliseconds(250))
      load.cancel()
      await world.bytes.settle()
      left.value = Array(world.files.files.keys)
    }
    world.time.run()
    let names = try #require(left.value)
    #expect(world.files.prefixes.count == 1 && names.count == 2 && !names.contains { $0.contains("-lease-") })
    #expect(world.files.files.count == names.count)
  }

  // At 100 + 20 n ms, n + 1 bytes are there, at the rate of (n + 1) / 20 n per ms.
  @Test("what would end sooner than a new request would begin is finished into the cache")
  func finished() async throws {
    let world = World()
    // After 230 ms 7 are there, 3 are missing, at 7 in 130 ms: 56 ms, less than the 100 of a round trip.
    #expect(world.leave(after: [230, 1_000]) == ["230 cancelled", "300 network"])
    let choice = try #require(world.choices.value.first)
    #expect(
      choice.goesOn && choice.received == 7 && choice.remaining == 3 && choice.roundTrip == .milliseconds(100)
    )
    #expect(choice.rate.map { abs($0 - 7 / 0.13) < 0.001 } == true)
    let counters = world.bytes.events.counters
    #expect(world.transport.counters.started == 1 && world.transport.counters.cancelled == 0)
    #expect(counters.finishedUnawaited == 1 && counters.savedBytes == 7 && counters.wastedBytes == 0)
    #expect(await world.bytes.activity == (0, 0, 0))
  }

  @Test("who comes while it goes on waits for it again")
  func awaited() {
    let body = SharedBody()
    let former = body.begin(NumberRequest(1).key.response)
    let exchange = body.begin(NumberRequest(1).key.response)
    #expect(!body.noteLeft(former, with: 7) && body.isAwaited)
    #expect(body.noteLeft(exchange, with: 7) && !body.isAwaited)
    #expect(body.noteJoined() && body.isAwaited && !body.giveUp())
    #expect(body.endExchange() == 7 && !body.noteLeft(exchange, with: 8))
  }

  @Test("who comes after it has given up does not wait for it")
  func givenUp() {
    let body = SharedBody()
    let exchange = body.begin(NumberRequest(1).key.response)
    #expect(body.noteLeft(exchange, with: 7) && body.giveUp() && !body.noteJoined() && !body.isAwaited)
  }

  @Test("the next caller finds it in the cache")
  func cached() {
    let world = World()
    #expect(world.leave(after: [230, 0]).first == "230 cancelled")
    #expect(world.leave(after: [1_000]).last == "300 disk" && world.transport.counters.started == 1)
  }

  @Test("what would take longer is cut off, and can be continued")
  func cutOff() async throws {
    let world = World()
    // After 150 ms 3 are there, 7 are missing, at 3 in 50 ms: 117 ms.
    #expect(world.leave(after: [150]) == ["150 cancelled"])
    let choice = try #require(world.choices.value.first)
    #expect(!choice.goesOn && choice.received == 3 && choice.remaining == 7)
    let counters = world.bytes.events.counters
    #expect(world.transport.counters.cancelled == 1 && counters.aborted == 1)
    #expect(counters.wastedBytes == 3 && counters.savedBytes == 0)
    let prefix = world.time.run {
      await world.bytes.disk?.prefix(for: NumberRequest(1).key.response)?.bytes.count
    }
    #expect(prefix == 3)
    #expect(await world.bytes.activity == (0, 0, 0))
  }

  @Test(
    "what a new request needs is a new connection, too, unless cutting off closes none",
    arguments: [(nil, false, false), (60, false, true), (60, true, false), (10, false, false)])
  func closing(connection: (handshakes: Int?, isShared: Bool, goesOn: Bool)) throws {
    let world = World(
      handshakes: connection.handshakes.map { .milliseconds($0) }, sharesConnection: connection.isShared)
    // After 150 ms 3 are there, 7 are missing, at 3 in 50 ms: 117 ms, more than the 100 of a round trip.
    _ = world.leave(after: [150])
    let choice = try #require(world.choices.value.first)
    #expect(choice.goesOn == connection.goesOn && choice.awaited == .zero)
    #expect(
      choice.handshakes == .milliseconds(connection.isShared ? 0 : connection.handshakes ?? 0))
    #expect(world.transport.counters.cancelled == (connection.goesOn ? 0 : 1))
  }

  @Test("before the head, as much is expected as others brought")
  func expected() throws {
    let world = World(headers: ["Cache-Control": "no-cache", "ETag": ""], handshakes: .milliseconds(250))
    // The first is whole after 300 ms. The next is left 60 ms after it was asked for: 40 ms and 200 for its body.
    #expect(world.leave(after: [400, 60, 1_000]).last == "700 network")
    let choice = try #require(world.choices.value.first)
    #expect(choice.goesOn && choice.received == 0 && choice.remaining == 10)
    #expect(choice.awaited == .milliseconds(40) && choice.handshakes == .milliseconds(250))
    #expect(world.transport.counters.started == 2 && world.transport.counters.cancelled == 0)
  }

  @Test("pictures that go by while they arrive leave fewer at once, those that had not begun to do not")
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

  @Test("what could not be kept, or whose length is not known, is cut off")
  func useless() {
    for world in [
      World(hasDisk: false), World(headers: ["Cache-Control": "no-store"]),
      World(headers: ["Content-Length": ""]),
      World(headers: ["Content-Encoding": "gzip"]),
    ] {
      #expect(world.leave(after: [230]) == ["230 cancelled"])
      #expect(world.transport.counters.cancelled == 1 && world.choices.value.map(\.goesOn) == [false])
    }
  }

  @Test("before the head has come there is nothing to measure")
  func early() {
    let world = World()
    #expect(world.leave(after: [50]) == ["50 cancelled"])
    #expect(world.transport.counters.cancelled == 1)
    #expect(world.choices.value == [Abandonment(received: 0, remaining: nil, elapsed: .zero, roundTrip: nil)])
  }

  @Test("what does not keep to what was expected of it is cut off after a round trip")
  func stalled() async {
    let world = World(stallsAfter: 7)
    #expect(world.leave(after: [250]) == ["250 cancelled"])
    // Cut off at 350 ms, not at 30 s.
    #expect(world.time.now.nanoseconds == 350_000_000)
    let counters = world.bytes.events.counters
    #expect(counters.aborted == 1 && counters.wastedBytes == 8 && counters.savedBytes == 0)
    #expect(world.transport.counters.cancelled == 1)
    #expect(await world.bytes.activity == (0, 0, 0))
  }

  @Test("who joins what went on has it to the end, however long that takes")
  func joined() async {
    let world = World(stallsAfter: 7)
    #expect(world.leave(after: [250, 60_000]) == ["250 cancelled", "30280 network"])
    #expect(world.transport.counters.started == 1 && world.transport.counters.duplicates == 0)
    #expect(await world.bytes.activity == (0, 0, 0))
  }

  @Test("when it breaks although nobody waits, what is there is kept, and nobody asks again")
  func breaks() async {
    let world = World(breaking: LoadError(.connectionLost, "broke", isRetryable: true))
    #expect(world.leave(after: [250]) == ["250 cancelled"])
    #expect(world.transport.counters.started == 1 && world.bytes.events.counters.finishedUnawaited == 0)
    let prefix = world.time.run {
      await world.bytes.disk?.prefix(for: NumberRequest(1).key.response)?.bytes.count
    }
    #expect(prefix == 9)
    #expect(await world.bytes.activity == (0, 0, 0))
  }

  @Test(
    "the choice",
    arguments: [
      (10, 0, 100, 1, true), (10, 9, 100, 100, true), (10, 10, 100, 100, false), (10, 11, 100, 100, false),
      (1, 99, 1, 100, true), (1, 100, 1, 100, false), (0, 10, 100, 100, false), (10, 0, 0, 100, false),
    ])
  func choice(received: Int, remaining: Int, elapsed: Int, roundTrip: Int, goesOn: Bool) {
    let choice = Abandonment(
      received: received, remaining: remaining, elapsed: .milliseconds(elapsed),
      roundTrip: .milliseconds(roundTrip))
    #expect(choice.goesOn == goesOn)
  }

  @Test("handshakes are a moving mean, and nothing where connections are shared")
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

  @Test("round trips are a moving mean, of a bounded number of origins")
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
    "thousands who come and leave: one transfer at a time, each answered once, nothing left",
    arguments: 0..<10)
  func stress(seed: Int) async {
    let world = World(stallsAfter: seed % 3 == 0 ? 8 : nil)
    var random = SplitMix64(seed: seed)
    let answers = Shared(0)
    for _ in 0..<500 {
      let start = Duration.milliseconds(Int.random(in: 0..<15_000, using: &random))
      let end = start + .milliseconds(Int.random(in: 0..<400, using: &random))
      let task = world.timeline.spawn {
        try? await world.timeline.sleep(for: start)
        do throws(LoadError) {
          // A reload each time: the cache must not answer, only a transfer that runs.
          let loaded = try await world.bytes.load(NumberRequest(1, policy: .reload))
          #expect(loaded.bytes == Array("0123456789".utf8), "seed \(seed)")
        } catch {
          #expect(error == .cancelled, "seed \(seed)")
        }
        answers.update { $0 += 1 }
      }
      world.timeline.spawn {
        try? await world.timeline.sleep(for: end)
        task.cancel()
      }
    }
    world.time.run()
    let counters = world.bytes.events.counters
    #expect(answers.value == 500, "seed \(seed)")
    #expect(world.transport.counters.duplicates == 0, "seed \(seed)")
    #expect(counters.transfers == counters.completed + counters.aborted, "seed \(seed)")
    #expect(counters.receivedBytes == counters.completed * 10 + counters.wastedBytes, "seed \(seed)")
    #expect(await world.bytes.activity == (0, 0, 0), "seed \(seed)")
  }
}
