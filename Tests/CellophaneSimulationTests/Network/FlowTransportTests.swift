import Cellophane
import CellophaneTesting
import Testing

@testable import CellophaneSimulation

@Suite struct FlowTransportTests {
  /// 8 Mbit/s down, a byte in 1 µs; 1.2 Mbit/s up, a request in 1 ms.
  static let profile = NetworkProfile(
    name: "test", downBitsPerSecond: 8_000_000, upBitsPerSecond: 1_200_000, roundTrip: .milliseconds(10))

  let time = VirtualTime()

  /// A line whose origin answers `/n` with n bytes.
  func make(_ profile: NetworkProfile = profile, connections: Int? = nil) -> FlowTransport {
    FlowTransport(profile, connections: connections, timeline: time.timeline()) { request in
      let size = Int(request.url.split(separator: "/").last ?? "") ?? 0
      return TransportResponse(
        status: 200, body: [UInt8](repeating: 7, count: size), url: request.url)
    }
  }

  @Test func `a first answer takes two round trips, the next over the same connection one`() throws {
    let line = make()
    let ends: [Duration]? = time.run { [time] in
      var ends: [Duration] = []
      for _ in 0..<2 {
        guard let response = try? await line.exchange(TransportRequest(url: "/10000")) else { break }
        #expect(response.body.count == 10_000)
        #expect(response.timeToFirstByte == .milliseconds(11))
        ends.append(.nanoseconds(time.now.nanoseconds))
      }
      return ends
    }
    // Handshake 10, request 1, first byte 10, body 10 ms; then without the handshake.
    #expect(ends == [.milliseconds(31), .milliseconds(62 - 10)])
    #expect(line.mostConnections == 1)
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
    #expect(line.mostConnections == 2)
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
    #expect(line.mostConnections == 1)
  }

  /// Where a cancellation finds an exchange: in the handshake, on the way up, in the body.
  @Test(arguments: [(5, 0), (15, 0), (26, 5_000)])
  func `a cancelled exchange ends at once, is counted, and closes its connection`(
    milliseconds: Int, received: Int
  ) {
    let line = make(connections: 1)
    let body = ArrivingBody()
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

  @Test(arguments: [(limits(connect: 9), 9), (limits(firstByte: 10), 20), (limits(total: 25), 25)])
  func `limits of time hold`(limits: TransferLimits, milliseconds: Int) throws {
    let line = make()
    let request = TransportRequest(url: "/10000", limits: limits)
    let kind: LoadError.Kind?? = time.run {
      do throws(LoadError) {
        _ = try await line.exchange(request)
        return nil
      } catch {
        return error.kind
      }
    }
    #expect(kind == .some(.timeout))
    #expect(time.now.nanoseconds == Int64(milliseconds) * 1_000_000)
  }

  @Test func `what has arrived of a running body can be counted`() {
    let line = make()
    let body = ArrivingBody()
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
}
