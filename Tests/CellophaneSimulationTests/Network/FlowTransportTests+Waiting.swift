import Cellophane
import CellophaneTesting
import Synchronization
import Testing

@testable import CellophaneSimulation

extension FlowTransportTests {
  /// Asks for `/10000` and gives it up after so many ms, again and again, and then for `/1000`; returns when that is
  /// there, in ms.
  func giveUp(after moments: [Int64], over line: FlowTransport) -> Int64? {
    let timeline = time.timeline()
    let next = Notes<Int64>()
    timeline.spawn { [time] in
      for moment in moments {
        let task = timeline.spawn { _ = try? await line.exchange(TransportRequest(url: "/10000")) }
        try? await timeline.sleep(for: .milliseconds(moment) - timeline.now)
        task.cancel()
        await task.value
      }
      _ = try? await line.exchange(TransportRequest(url: "/1000"))
      next.add(time.now.nanoseconds / 1_000_000)
    }
    time.run()
    return next.all.first
  }

  // The handshakes take 20 ms; then 1 up, 10 round trip, 1 down.
  @Test(arguments: [[5], [5, 10, 15, 19], [19]])
  func `handshakes go on when their exchange is given up, and the next begins when they end`(moments: [Int64])
  {
    let line = make { $0.usesTLS = true }
    #expect(giveUp(after: moments, over: line) == 32)
    #expect(line.connectionsOpened == 1)
    #expect(line.receivedAfterCancel == 0)
  }

  @Test(arguments: [nil, 1])
  func `a connection that was made for nobody is there for who comes later`(limit: Int?) {
    let line = make(connections: limit)
    let timeline = time.timeline()
    let task = timeline.spawn { _ = try? await line.exchange(TransportRequest(url: "/10000")) }
    timeline.spawn {
      try? await timeline.sleep(for: .milliseconds(5))
      task.cancel()
    }
    time.run()
    #expect(time.now.nanoseconds == 10_000_000)
    #expect(play(["/1000"], over: line) == ["/1000 22"])
    #expect(line.connectionsOpened == 1)
  }

  @Test func `who makes a connection takes one that is free before, and leaves his to the next`() {
    let line = make()
    let ends = Notes<String>()
    let timeline = time.timeline()
    for (url, start) in [("/1000", 0), ("/2000", 15), ("/3000", 23)] {
      timeline.spawn { [time] in
        try? await timeline.sleep(for: .milliseconds(start))
        _ = try? await line.exchange(TransportRequest(url: url))
        ends.add("\(url) \(time.now.nanoseconds / 1_000_000)")
      }
    }
    time.run()
    // The first is there at 22, when the second goes over its connection, three ms before his own is there; that one
    // the third gets.
    #expect(ends.all == ["/1000 22", "/2000 35", "/3000 39"])
    #expect(line.connectionsOpened == 2)
  }

  /// Whom the second, who comes after 5 ms and waits at most for so many ms, waits for: how long the first wanted to wait for
  /// a connection.
  @Test(
    arguments: [
      // It is there after 2 s; after a second of waiting a second one is begun, which is there later.
      (1_000, 3_000, 3_000, 3_001, 2),
      // It fails after 100 ms, and another takes 2 s.
      (1_000, 100, 3_000, 3_101, 2),
      // Nobody waits longer than he wants.
      (1_000, 3_000, 500, 505, 1),
      (1_000, 3_000, 1_500, 1_505, 2),
    ] as [(Int, Int, Int, Int64, Int)])
  func `who waits for a connection that is made for nobody has his own limits`(
    roundTrip: Int, first: Int, second: Int, end: Int64, opened: Int
  ) {
    let line = make {
      $0.profile = NetworkProfile(
        name: "slow", downBitsPerSecond: 8_000_000, upBitsPerSecond: nil, roundTrip: .milliseconds(roundTrip))
      $0.usesTLS = true
    }
    let timeline = time.timeline()
    let task = timeline.spawn {
      _ = try? await line.exchange(TransportRequest(url: "/1000", limits: Self.limits(connect: first)))
    }
    let ends = Notes<Int64>()
    timeline.spawn { [time] in
      try? await timeline.sleep(for: .milliseconds(5))
      task.cancel()
      var limits = Self.limits(connect: second, total: 60_000)
      limits.firstByte = .seconds(60)
      _ = try? await line.exchange(TransportRequest(url: "/1000", limits: limits))
      ends.add(time.now.nanoseconds / 1_000_000)
    }
    time.run()
    #expect(ends.all == [end])
    #expect(line.connectionsOpened == opened)
  }

  @Test func `who is cancelled while he waits for a connection takes none`() {
    let line = make(connections: 1)
    let timeline = time.timeline()
    timeline.spawn { _ = try? await line.exchange(TransportRequest(url: "/10000")) }
    let waiting = timeline.spawn { _ = try? await line.exchange(TransportRequest(url: "/20000")) }
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

  @Test func `who stands in a line that does not move leaves it when his time is over`() {
    let line = make(connections: 1)
    let ends = Notes<String>()
    for (url, total) in [("/1000000", 60_000), ("/1000", 50), ("/2000", 60_000)] {
      time.timeline().spawn { [time] in
        let request = TransportRequest(url: url, limits: Self.limits(total: total))
        let end = (try? await line.exchange(request)) == nil ? "late " : ""
        ends.add("\(url) \(end)\(time.now.nanoseconds / 1_000_000)")
      }
    }
    time.run()
    // Handshake 10, request 1, first byte 10, body 1 000; the last one then sends the next request.
    #expect(ends.all == ["/1000 late 50", "/1000000 1021", "/2000 1034"])
    #expect(line.state.withLock { $0.waiting.isEmpty })
  }

  @Test(arguments: [(limits(connect: 9), 9), (limits(firstByte: 10), 20), (limits(total: 25), 25)])
  func `limits of time hold`(limits: TransferLimits, milliseconds: Int) throws {
    let line = make()
    let request = TransportRequest(url: "/10000", limits: limits)
    let end = Notes<Int64>()
    let kind: LoadError.Kind?? = time.run { [time] in
      defer { end.add(time.now.nanoseconds) }
      do throws(LoadError) {
        _ = try await line.exchange(request)
        return nil
      } catch {
        return error.kind
      }
    }
    #expect(kind == .some(.timeout))
    #expect(end.all == [Int64(milliseconds) * 1_000_000])
  }
}
