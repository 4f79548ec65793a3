import Cellophane
import CellophaneTesting
import Synchronization
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation

@Suite struct FlowTransportTests {
  /// 8 Mbit/s down, 1 µs per byte, and 1.2 Mbit/s up, 1 ms per request.
  static let profile = NetworkProfile(
    name: "test", downBitsPerSecond: 8_000_000, upBitsPerSecond: 1_200_000, roundTrip: .milliseconds(10))

  let time = VirtualTime()

  /// Returns a transport to an origin that answers `/n` with n bytes.
  func make(
    connections: Int? = nil, _ change: (inout ModeledLink) -> Void = { _ in }
  ) -> FlowTransport {
    var link = ModeledLink(profile: Self.profile)
    link.sharing = .http1(limit: connections)
    change(&link)
    return FlowTransport(link, timeline: time.timeline()) { request in
      let size = Int(request.url.split(separator: "/").last ?? "") ?? 0
      return OriginResponse(body: [UInt8](repeating: 7, count: size))
    }
  }

  @Test func `the first response takes two round trips, and the next over the same connection takes one`()
    throws
  {
    let transport = make()
    let ends: [Duration]? = time.run { [time] in
      var ends: [Duration] = []
      for _ in 0..<2 {
        guard let response = try? await transport.exchange(TransportRequest(url: "/10000")) else { break }
        #expect(response.body.count == 10_000 && response.headers["content-length"] == "10000")
        #expect(response.timeToFirstByte == .milliseconds(11))
        ends.append(.nanoseconds(time.now.nanoseconds))
      }
      return ends
    }
    // Handshake 10 ms, request 1, first byte 10, body 10. The second exchange has no handshake.
    #expect(ends == [.milliseconds(31), .milliseconds(62 - 10)])
    #expect(transport.peakExchanges == 1)
  }

  @Test func `requests are sent one after the other, and bodies share the downlink`() {
    let transport = make()
    let ends = Notes<Duration>()
    for _ in 0..<2 {
      time.timeline().spawn { [time] in
        _ = try? await transport.exchange(TransportRequest(url: "/5000"))
        ends.add(.nanoseconds(time.now.nanoseconds))
      }
    }
    time.run()
    // The first bytes arrive after 21 and 22 ms. The first body has the link for 1 ms. Then both have half of the
    // rate until its other 4 000 bytes have arrived, and 1 000 bytes of the second body are left.
    #expect(ends.all == [.milliseconds(30), .milliseconds(31)])
    #expect(transport.peakExchanges == 2)
  }

  @Test func `exchanges wait for a connection in the order of their requests`() {
    let transport = make(connections: 1)
    let ends = Notes<String>()
    for url in ["/1000", "/3000", "/2000"] {
      time.timeline().spawn { [time] in
        _ = try? await transport.exchange(TransportRequest(url: url))
        ends.add("\(url) \(time.now.nanoseconds / 1_000_000)")
      }
    }
    time.run()
    #expect(ends.all == ["/1000 22", "/3000 36", "/2000 49"])
    #expect(transport.peakExchanges == 1)
  }

  /// A cancellation before the first byte, and one during the body.
  @Test(arguments: [(15, 0), (26, 5_000)])
  func `a cancelled exchange ends immediately, keeps the received bytes, and closes its connection`(
    milliseconds: Int, received: Int
  ) {
    let transport = make(connections: 1)
    let body = StreamingBody()
    let ends = Notes<(kind: LoadError.Kind, at: Int64)>()
    let next = Notes<Int64>()
    let task = time.timeline().spawn { [time] in
      do throws(LoadError) {
        _ = try await transport.exchange(TransportRequest(url: "/10000", body: body))
      } catch {
        ends.add((error.kind, time.now.nanoseconds / 1_000_000))
      }
    }
    time.timeline().spawn { [time] in
      try? await time.timeline().sleep(for: .milliseconds(milliseconds))
      task.cancel()
      _ = try? await transport.exchange(TransportRequest(url: "/1000"))
      next.add(time.now.nanoseconds / 1_000_000)
    }
    time.run()
    #expect(ends.all.map(\.kind) == [.cancelled])
    #expect(ends.all.map(\.at) == [Int64(milliseconds)])
    #expect(body.count == received)
    // A new connection: two round trips, 1 ms up, 1 ms down.
    #expect(next.all == [Int64(milliseconds) + 22])
  }

  @Test func `the received bytes of a running body can be counted`() {
    let transport = make()
    let body = StreamingBody()
    let timeline = time.timeline()
    timeline.spawn { _ = try? await transport.exchange(TransportRequest(url: "/10000", body: body)) }
    time.run(until: time.now.advanced(by: .milliseconds(24)))
    #expect(body.count == 0)
    transport.catchUp()
    #expect(body.count == 3_000)
    time.run()
    #expect(body.count == 10_000)
    #expect(body.bytes.allSatisfy { $0 == 7 })
  }

  /// Requests `urls` at the same time. Returns each URL with the time at which its response is complete, in ms.
  func play(_ urls: [String], over transport: FlowTransport, priority: [Priority] = []) -> [String] {
    let ends = Notes<String>()
    for (index, url) in urls.enumerated() {
      let request = TransportRequest(url: url, priority: priority.isEmpty ? .visible : priority[index])
      time.timeline().spawn { [time] in
        _ = try? await transport.exchange(request)
        ends.add("\(url) \(time.now.nanoseconds / 1_000_000)")
      }
    }
    time.run()
    return ends.all
  }

  /// One round trip of QUIC that resumes a session, of QUIC or TCP, and of TCP and TLS.
  @Test(arguments: [(0, 12), (1, 22), (2, 32)], [ConnectionPool.Sharing.http1(limit: nil), .multiplexed])
  func `each round trip of the handshakes delays the first response`(
    handshakes: (count: Int, end: Int), sharing: ConnectionPool.Sharing
  ) {
    let transport = make {
      $0.sharing = sharing
      $0.handshakes = handshakes.count
    }
    #expect(play(["/1000"], over: transport) == ["/1000 \(handshakes.end)"])
  }

  @Test
  func `over HTTP/2 exchanges share a connection and its handshakes, and the most urgent is served first`() {
    let transport = make {
      $0.sharing = .multiplexed
      $0.handshakes = 2
    }
    // The handshakes end at 20 ms. The requests are sent at 21, 22 and 23 ms, and each body begins 10 ms later. At
    // 33 ms the last request is the most urgent.
    let ends = play(
      ["/6000", "/3000", "/2000"], over: transport, priority: [.prefetch, .normal, .visible])
    #expect(ends == ["/2000 35", "/3000 37", "/6000 42"])
    #expect(transport.connectionsOpened == 1)
    #expect(transport.peakExchanges == 3)
  }

  @Test func `the think time depends on seed, target and attempt, and not on the order of requests`() {
    let think = ThinkTime(median: .milliseconds(100), sigma: 0.3)
    let targets = (0..<400).map { "/row/\($0)" }
    let times = targets.map { think.time(for: $0, attempt: 0, seed: 1).milliseconds }.sorted()
    #expect(
      times == targets.reversed().map { think.time(for: $0, attempt: 0, seed: 1).milliseconds }.sorted())
    // The quartiles of a lognormal: exp(±0.6745 · 0.3).
    for (index, expected) in [(100, 81.7), (200, 100.0), (300, 122.4)] {
      #expect(abs(times[index] / expected - 1) < 0.06, "\(times[index])")
    }
    #expect(think.time(for: "/a", attempt: 1, seed: 1) != think.time(for: "/a", attempt: 0, seed: 1))
    #expect(think.time(for: "/a", attempt: 0, seed: 2) != think.time(for: "/a", attempt: 0, seed: 1))
    #expect(ThinkTime(median: .zero).time(for: "/a", attempt: 0, seed: 1) == .zero)
    #expect(
      ThinkTime(median: .milliseconds(7), sigma: 0).time(for: "/a", attempt: 0, seed: 1) == .milliseconds(7))

    let transport = make { $0.think = think }
    let expected = [0, 1].map { think.time(for: "/0", attempt: $0, seed: 1) }
    let first: [Duration]? = time.run {
      var times: [Duration] = []
      for _ in 0..<2 {
        let answer = try? await transport.exchange(TransportRequest(url: "http://a.b:80/0"))
        times.append((answer?.timeToFirstByte ?? .zero) - .milliseconds(11))
      }
      return times
    }
    #expect(first == expected)
  }

  @Test(arguments: ["http://a:1/x?y=1", "/x?y=1"])
  func `the target of a request, which identifies its draws, has no origin`(url: String) {
    #expect(TransportRequest(url: url).target == "/x?y=1")
    #expect(url.urlOrigin + "/x?y=1" == url)
  }

  /// Cancels `/10000` at `moment` and then requests `/1000`. Returns the time at which that response is complete.
  func cancel(at moment: Duration, _ transport: FlowTransport) -> Int64? {
    let timeline = time.timeline()
    let task = timeline.spawn { _ = try? await transport.exchange(TransportRequest(url: "/10000")) }
    let next = Notes<Int64>()
    timeline.spawn { [time] in
      try? await timeline.sleep(for: moment)
      task.cancel()
      _ = try? await transport.exchange(TransportRequest(url: "/1000"))
      next.add(time.now.nanoseconds)
    }
    time.run()
    return next.all.first
  }

  // The body arrives from 21 to 31 ms, at 1 byte per µs. The origin learns of the cancellation 5 ms later.
  @Test(arguments: [(11.0, 0), (13.0, 2_000), (20.0, 9_000), (23.0, 8_000), (30.0, 1_000)])
  func `bytes that the origin sends before it learns of a cancellation still arrive`(
    moment: Double, bytes: Int
  ) {
    let transport = make()
    _ = cancel(at: .roundedSeconds(moment / 1_000), transport)
    #expect(transport.receivedAfterCancel == bytes)
    #expect(transport.connectionsOpened == 2)
  }

  @Test
  func `over HTTP/2 a cancellation keeps the connection open, and does not delay the next response`() {
    let transport = make { $0.sharing = .multiplexed }
    // Request 1 ms, round trip 10, body 1. The first body arrives until the origin learns of the cancellation.
    #expect(cancel(at: .milliseconds(23), transport) == 35_000_000)
    #expect(transport.connectionsOpened == 1)
    #expect(transport.receivedAfterCancel == 8_000)
  }

  @Test(arguments: [(2_000, 1), (1_999, 2)])
  func `a cancelled body that is nearly complete is drained, up to the limit`(drained: Int, opened: Int) {
    let transport = make(connections: 1) { $0.maxDrainedBytes = drained }
    let end = cancel(at: .milliseconds(29), transport)
    #expect(transport.connectionsOpened == opened)
    #expect(transport.receivedAfterCancel == 2_000)
    // The connection is busy until 31 ms. Then request 1, round trip 10, body 1. Otherwise a handshake at once.
    #expect(end == (opened == 1 ? 43_000_000 : 51_000_000))
  }
}
