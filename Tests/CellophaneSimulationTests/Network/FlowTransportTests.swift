import Cellophane
import CellophaneTesting
import Synchronization
import Testing

@testable import CellophaneSimulation

@Suite struct FlowTransportTests {
  /// 8 Mbit/s down, a byte in 1 µs; 1.2 Mbit/s up, a request in 1 ms.
  static let profile = NetworkProfile(
    name: "test", downBitsPerSecond: 8_000_000, upBitsPerSecond: 1_200_000, roundTrip: .milliseconds(10))

  let time = VirtualTime()

  /// A line whose origin answers `/n` with n bytes.
  func make(
    connections: Int? = nil, _ change: (inout ModeledLink) -> Void = { _ in }
  ) -> FlowTransport {
    var line = ModeledLink(profile: Self.profile)
    line.sharing = .http1(limit: connections)
    change(&line)
    return FlowTransport(line, timeline: time.timeline()) { request in
      let size = Int(request.url.split(separator: "/").last ?? "") ?? 0
      return OriginResponse(body: [UInt8](repeating: 7, count: size))
    }
  }

  @Test func `a first answer takes two round trips, the next over the same connection one`() throws {
    let line = make()
    let ends: [Duration]? = time.run { [time] in
      var ends: [Duration] = []
      for _ in 0..<2 {
        guard let response = try? await line.exchange(TransportRequest(url: "/10000")) else { break }
        #expect(response.body.count == 10_000 && response.headers["content-length"] == "10000")
        #expect(response.timeToFirstByte == .milliseconds(11))
        ends.append(.nanoseconds(time.now.nanoseconds))
      }
      return ends
    }
    // Handshake 10, request 1, first byte 10, body 10 ms; then without the handshake.
    #expect(ends == [.milliseconds(31), .milliseconds(62 - 10)])
    #expect(line.peakExchanges == 1)
  }

  @Test func `requests go up one behind the other, bodies come down side by side`() {
    let line = make()
    let ends = Notes<Duration>()
    for _ in 0..<2 {
      time.timeline().spawn { [time] in
        _ = try? await line.exchange(TransportRequest(url: "/5000"))
        ends.add(.nanoseconds(time.now.nanoseconds))
      }
    }
    time.run()
    // The first byte of the one after 21 ms, of the other after 22; the first alone for 1 ms, then both at half
    // the rate until it has its other 4 000 bytes, after which 1 000 are left.
    #expect(ends.all == [.milliseconds(30), .milliseconds(31)])
    #expect(line.peakExchanges == 2)
  }

  @Test func `who finds no connection waits for one, in the order of asking`() {
    let line = make(connections: 1)
    let ends = Notes<String>()
    for url in ["/1000", "/3000", "/2000"] {
      time.timeline().spawn { [time] in
        _ = try? await line.exchange(TransportRequest(url: url))
        ends.add("\(url) \(time.now.nanoseconds / 1_000_000)")
      }
    }
    time.run()
    #expect(ends.all == ["/1000 22", "/3000 36", "/2000 49"])
    #expect(line.peakExchanges == 1)
  }

  /// Where a cancellation finds an exchange: on the way up, in the body.
  @Test(arguments: [(15, 0), (26, 5_000)])
  func `a cancelled exchange ends at once, is counted, and closes its connection`(
    milliseconds: Int, received: Int
  ) {
    let line = make(connections: 1)
    let body = StreamingBody()
    let ends = Notes<(kind: LoadError.Kind, at: Int64)>()
    let next = Notes<Int64>()
    let task = time.timeline().spawn { [time] in
      do throws(LoadError) {
        _ = try await line.exchange(TransportRequest(url: "/10000", body: body))
      } catch {
        ends.add((error.kind, time.now.nanoseconds / 1_000_000))
      }
    }
    time.timeline().spawn { [time] in
      try? await time.timeline().sleep(for: .milliseconds(milliseconds))
      task.cancel()
      _ = try? await line.exchange(TransportRequest(url: "/1000"))
      next.add(time.now.nanoseconds / 1_000_000)
    }
    time.run()
    #expect(ends.all.map(\.kind) == [.cancelled])
    #expect(ends.all.map(\.at) == [Int64(milliseconds)])
    #expect(body.count == received)
    // A new connection: two round trips, 1 ms up, 1 ms down.
    #expect(next.all == [Int64(milliseconds) + 22])
  }

  @Test func `what has arrived of a running body can be counted`() {
    let line = make()
    let body = StreamingBody()
    let timeline = time.timeline()
    timeline.spawn { _ = try? await line.exchange(TransportRequest(url: "/10000", body: body)) }
    time.run(until: time.now.advanced(by: .milliseconds(24)))
    #expect(body.count == 0)
    line.catchUp()
    #expect(body.count == 3_000)
    time.run()
    #expect(body.count == 10_000)
    #expect(body.bytes.allSatisfy { $0 == 7 })
  }

  /// When the answers to `urls`, asked for at once, were there, in ms.
  func play(_ urls: [String], over line: FlowTransport, priority: [Priority] = []) -> [String] {
    let ends = Notes<String>()
    for (index, url) in urls.enumerated() {
      let request = TransportRequest(url: url, priority: priority.isEmpty ? .visible : priority[index])
      time.timeline().spawn { [time] in
        _ = try? await line.exchange(request)
        ends.add("\(url) \(time.now.nanoseconds / 1_000_000)")
      }
    }
    time.run()
    return ends.all
  }

  @Test func `TLS costs a round trip for each connection`() {
    #expect(play(["/1000"], over: make { $0.usesTLS = true }) == ["/1000 32"])
  }

  @Test func `over HTTP 2 exchanges share a connection and its handshakes, the most urgent first`() {
    let line = make {
      $0.sharing = .http2
      $0.usesTLS = true
    }
    // Handshakes until 20; the requests are up at 21, 22 and 23, and bodies begin 10 later. At 33 the one that was
    // asked for last is the most urgent.
    let ends = play(
      ["/6000", "/3000", "/2000"], over: line, priority: [.prefetch, .normal, .visible])
    #expect(ends == ["/2000 35", "/3000 37", "/6000 42"])
    #expect(line.connectionsOpened == 1)
    #expect(line.peakExchanges == 3)
  }

  @Test func `the origin hasThinkTime as long as seed, picture and attempt say, however it is asked`() {
    let think = ThinkTime(median: .milliseconds(100), sigma: 0.3)
    let targets = (0..<400).map { "/row/\($0)" }
    let times = targets.map { think.time(for: $0, attempt: 0, seed: 1).milliseconds }.sorted()
    #expect(
      times == targets.reversed().map { think.time(for: $0, attempt: 0, seed: 1).milliseconds }.sorted())
    // The quartiles of a lognormal: exp(±0.6745 · 0.3).
    for (place, expected) in [(100, 81.7), (200, 100.0), (300, 122.4)] {
      #expect(abs(times[place] / expected - 1) < 0.06, "\(times[place])")
    }
    #expect(think.time(for: "/a", attempt: 1, seed: 1) != think.time(for: "/a", attempt: 0, seed: 1))
    #expect(think.time(for: "/a", attempt: 0, seed: 2) != think.time(for: "/a", attempt: 0, seed: 1))
    #expect(ThinkTime(median: .zero).time(for: "/a", attempt: 0, seed: 1) == .zero)
    #expect(
      ThinkTime(median: .milliseconds(7), sigma: 0).time(for: "/a", attempt: 0, seed: 1) == .milliseconds(7))

    let line = make { $0.think = think }
    let expected = [0, 1].map { think.time(for: "/0", attempt: $0, seed: 1) }
    let first: [Duration]? = time.run {
      var times: [Duration] = []
      for _ in 0..<2 {
        let answer = try? await line.exchange(TransportRequest(url: "http://a.b:80/0"))
        times.append((answer?.timeToFirstByte ?? .zero) - .milliseconds(11))
      }
      return times
    }
    #expect(first == expected)
  }

  @Test(arguments: ["http://a:1/x?y=1", "/x?y=1"])
  func `what is drawn for a picture does not depend on its origin`(url: String) {
    #expect(TransportRequest(url: url).target == "/x?y=1")
  }

  /// Cancels `/10000` after so long; returns when `/1000` is there that is asked for then.
  func cancel(at moment: Duration, _ line: FlowTransport) -> Int64? {
    let timeline = time.timeline()
    let task = timeline.spawn { _ = try? await line.exchange(TransportRequest(url: "/10000")) }
    let next = Notes<Int64>()
    timeline.spawn { [time] in
      try? await timeline.sleep(for: moment)
      task.cancel()
      _ = try? await line.exchange(TransportRequest(url: "/1000"))
      next.add(time.now.nanoseconds)
    }
    time.run()
    return next.all.first
  }

  // The first byte comes at 21 ms, the last at 31, all at 1 byte a µs; the origin hears of it 5 ms later.
  @Test(arguments: [(11.0, 0), (13.0, 2_000), (20.0, 9_000), (23.0, 8_000), (30.0, 1_000)])
  func `what the origin sends before it hears of a cancellation still comes`(moment: Double, bytes: Int) {
    let line = make()
    _ = cancel(at: .roundedSeconds(moment / 1_000), line)
    #expect(line.receivedAfterCancel == bytes)
    #expect(line.connectionsOpened == 2)
  }

  @Test
  func `over HTTP 2 a cancellation leaves the connection, and what still comes is behind what is asked for`()
  {
    let line = make { $0.sharing = .http2 }
    // Up 1, round trip 10, then the rest of the first goes on until the origin has heard.
    #expect(cancel(at: .milliseconds(23), line) == 35_000_000)
    #expect(line.connectionsOpened == 1)
    #expect(line.receivedAfterCancel == 8_000)
  }

  @Test(arguments: [(2_000, 1), (1_999, 2)])
  func `a body that is nearly whole is read to its end when that is asked for`(drained: Int, opened: Int) {
    let line = make(connections: 1) { $0.maxDrainedBytes = drained }
    let end = cancel(at: .milliseconds(29), line)
    #expect(line.connectionsOpened == opened)
    #expect(line.receivedAfterCancel == 2_000)
    // Until 31 the connection is busy, then up 1, round trip 10, 1 down; or a handshake at once.
    #expect(end == (opened == 1 ? 43_000_000 : 51_000_000))
  }
}
