import Cellophane
import CellophaneTesting
import Synchronization
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation

extension FlowTransportTests {
  /// Requests `/10000` and cancels it at each of `moments`, in ms, and then requests `/1000`. Returns the time at
  /// which that response is complete, in ms.
  func requestAfterCancelling(at moments: [Int64], over transport: FlowTransport) -> Int64? {
    let timeline = time.timeline()
    let next = Notes<Int64>()
    timeline.spawn { [time] in
      for moment in moments {
        let task = timeline.spawn { _ = try? await transport.exchange(TransportRequest(url: "/10000")) }
        try? await timeline.sleep(for: .milliseconds(moment) - timeline.now)
        task.cancel()
        await task.value
      }
      _ = try? await transport.exchange(TransportRequest(url: "/1000"))
      next.add(time.now.nanoseconds / 1_000_000)
    }
    time.run()
    return next.all.first
  }

  // The handshakes take 20 ms, the request 1 ms, the round trip 10 ms, the body 1 ms.
  @Test(arguments: [[5], [5, 10, 15, 19], [19]])
  func `handshakes continue when their exchange is cancelled, and the next exchange begins at their end`(
    moments: [Int64]
  ) {
    let transport = make { $0.handshakes = 2 }
    #expect(requestAfterCancelling(at: moments, over: transport) == 32)
    #expect(transport.connectionsOpened == 1)
    #expect(transport.receivedAfterCancel == 0)
  }

  @Test(arguments: [nil, 1])
  func `the connection of an orphaned handshake serves a later exchange`(limit: Int?) {
    let transport = make(connections: limit)
    let timeline = time.timeline()
    let task = timeline.spawn { _ = try? await transport.exchange(TransportRequest(url: "/10000")) }
    timeline.spawn {
      try? await timeline.sleep(for: .milliseconds(5))
      task.cancel()
    }
    time.run()
    #expect(time.now.nanoseconds == 10_000_000)
    #expect(play(["/1000"], over: transport) == ["/1000 22"])
    #expect(transport.connectionsOpened == 1)
  }

  @Test func `an exchange takes a connection that is free earlier, and leaves its own to the next one`() {
    let transport = make()
    let ends = Notes<String>()
    let timeline = time.timeline()
    for (url, start) in [("/1000", 0), ("/2000", 15), ("/3000", 23)] {
      timeline.spawn { [time] in
        try? await timeline.sleep(for: .milliseconds(start))
        _ = try? await transport.exchange(TransportRequest(url: url))
        ends.add("\(url) \(time.now.nanoseconds / 1_000_000)")
      }
    }
    time.run()
    // The first exchange ends at 22 ms. The second takes its connection, 3 ms before the handshake that it started
    // ends. The third takes the connection of that handshake.
    #expect(ends.all == ["/1000 22", "/2000 35", "/3000 39"])
    #expect(transport.connectionsOpened == 2)
  }

  /// The round trip, the connect limits of two exchanges, the end of the second one, in ms, and the number of
  /// connections. The second exchange begins after 5 ms, when the first one is cancelled.
  @Test(
    arguments: [
      // The handshake ends after 2 s. After 1 s of waiting a second handshake begins, which ends later.
      (1_000, 3_000, 3_000, 3_001, 2),
      // The handshake fails after 100 ms. Another one takes 2 s.
      (1_000, 100, 3_000, 3_101, 2),
      // The second exchange waits no longer than its limit.
      (1_000, 3_000, 500, 505, 1),
      (1_000, 3_000, 1_500, 1_505, 2),
    ] as [(Int, Int, Int, Int64, Int)])
  func `an exchange that waits for an orphaned handshake keeps its own limits`(
    roundTrip: Int, first: Int, second: Int, end: Int64, opened: Int
  ) {
    let transport = make {
      $0.profile = NetworkProfile(
        name: "slow", downBitsPerSecond: 8_000_000, upBitsPerSecond: nil, roundTrip: .milliseconds(roundTrip))
      $0.handshakes = 2
    }
    let timeline = time.timeline()
    let task = timeline.spawn {
      _ = try? await transport.exchange(TransportRequest(url: "/1000", limits: Self.limits(connect: first)))
    }
    let ends = Notes<Int64>()
    timeline.spawn { [time] in
      try? await timeline.sleep(for: .milliseconds(5))
      task.cancel()
      var limits = Self.limits(connect: second, total: 60_000)
      limits.firstByte = .seconds(60)
      _ = try? await transport.exchange(TransportRequest(url: "/1000", limits: limits))
      ends.add(time.now.nanoseconds / 1_000_000)
    }
    time.run()
    #expect(ends.all == [end])
    #expect(transport.connectionsOpened == opened)
  }

  @Test func `an exchange that is cancelled while it waits for a connection takes none`() {
    let transport = make(connections: 1)
    let timeline = time.timeline()
    timeline.spawn { _ = try? await transport.exchange(TransportRequest(url: "/10000")) }
    let waiting = timeline.spawn { _ = try? await transport.exchange(TransportRequest(url: "/20000")) }
    timeline.spawn {
      try? await timeline.sleep(for: .milliseconds(5))
      waiting.cancel()
    }
    time.run()
    #expect(time.now.nanoseconds == 31_000_000)
  }

  static func limits(
    connect: Int = 1_000, firstByte: Int = 1_000, total: Int = 1_000
  ) -> TransferLimits {
    var limits = TransferLimits()
    limits.connect = .milliseconds(connect)
    limits.firstByte = .milliseconds(firstByte)
    limits.total = .milliseconds(total)
    return limits
  }

  @Test func `an exchange that waits for a busy connection ends at its time limit`() {
    let transport = make(connections: 1)
    let ends = Notes<String>()
    for (url, total) in [("/1000000", 60_000), ("/1000", 50), ("/2000", 60_000)] {
      time.timeline().spawn { [time] in
        let request = TransportRequest(url: url, limits: Self.limits(total: total))
        let end = (try? await transport.exchange(request)) == nil ? "late " : ""
        ends.add("\(url) \(end)\(time.now.nanoseconds / 1_000_000)")
      }
    }
    time.run()
    // Handshake 10 ms, request 1, first byte 10, body 1 000. Then the last exchange sends its request.
    #expect(ends.all == ["/1000 late 50", "/1000000 1021", "/2000 1034"])
    #expect(transport.state.withLock { $0.waiting.isEmpty })
  }

  @Test(arguments: [(limits(connect: 9), 9), (limits(firstByte: 10), 20), (limits(total: 25), 25)])
  func `an exchange ends at its limit for the connection, the first byte or the total time`(
    limits: TransferLimits, milliseconds: Int
  ) throws {
    let transport = make()
    let request = TransportRequest(url: "/10000", limits: limits)
    let end = Notes<Int64>()
    let kind: LoadError.Kind?? = time.run { [time] in
      defer { end.add(time.now.nanoseconds) }
      do throws(LoadError) {
        _ = try await transport.exchange(request)
        return nil
      } catch {
        return error.kind
      }
    }
    #expect(kind == .some(.timeout))
    #expect(end.all == [Int64(milliseconds) * 1_000_000])
  }
}
