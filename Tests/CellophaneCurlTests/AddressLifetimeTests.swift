internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Dispatch
internal import Synchronization
internal import Testing

@testable internal import Cellophane

@Suite("Addresses that are too old", .timeLimit(.minutes(1)))
struct AddressLifetimeTests {
  /// A transport whose addresses are too old at once, and what it asks.
  private struct Asker {
    private let time = VirtualTime()
    let transport: CurlTransport
    private let lookUps = Lookups()

    private final class Lookups: Sendable {
      let count = Atomic(0)
    }

    init(trusting certificate: TestCertificate? = nil) {
      var configuration = CurlTransport.Configuration()
      configuration.caFile = certificate?.file
      configuration.proxy = .direct
      let addresses = AddressResolution(
        lifetime: 0, onLookUp: { [lookUps] in lookUps.count.add(1, ordering: .relaxed) })
      transport = CurlTransport(configuration, addresses, timeline: time.timeline())
    }

    func waitForUpkeep() { time.run(until: time.now.advanced(by: AddressPurgeSchedule.interval)) }

    /// How many addresses a request looks up.
    func lookUps(of url: String) async throws -> Int {
      let before = lookUps.count.load(ordering: .relaxed)
      _ = try await transport.exchange(TransportRequest(url: url))
      return lookUps.count.load(ordering: .relaxed) - before
    }
  }

  /// Closes each connection, so that the next request needs an address.
  private static func closingOrigin() throws -> (RawOrigin, url: String) {
    let origin = try RawOrigin(answer: Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))
    return (origin, "http://a.localhost:\(origin.port)/")
  }

  @Test func `a host whose address is too old is looked up again`() async throws {
    let (origin, url) = try Self.closingOrigin()
    defer { origin.stop() }
    let asker = Asker()
    // The first looks through all at its end, and lets its own go.
    #expect(try await asker.lookUps(of: url) == 1)
    #expect(try await asker.lookUps(of: url) == 1)
    for _ in 0..<3 { #expect(try await asker.lookUps(of: url) == 0) }
    asker.waitForUpkeep()
    #expect(try await asker.lookUps(of: url) == 1)
    await asker.transport.close()
  }

  @Test func `who cannot connect has looked through them, too`() async throws {
    let (origin, url) = try Self.closingOrigin()
    defer { origin.stop() }
    // Port 1 is given to nobody.
    let goneURL = "http://a.localhost:1/"
    let asker = Asker()
    for _ in 0..<2 { #expect(try await asker.lookUps(of: url) == 1) }
    for _ in 0..<2 {
      asker.waitForUpkeep()
      await #expect(throws: LoadError.self) { try await asker.lookUps(of: goneURL) }
      #expect(try await asker.lookUps(of: url) == 1)
      #expect(try await asker.lookUps(of: url) == 0)
    }
    await asker.transport.close()
  }

  @Test func `who is alone on a connection of HTTP/2 has looked through them, too`() async throws {
    let (origin, url) = try Self.closingOrigin()
    defer { origin.stop() }
    let certificate = try TestCertificate(for: "DNS:b.localhost")
    let other = try RawOrigin(identity: certificate.identity, speaking: "h2") { _ in
      [.send(HTTP2Frames.settings)] + HTTP2Frames.answer(to: 1) + HTTP2Frames.answer(to: 3) + [.hold]
    }
    defer { other.stop() }
    let asker = Asker(trusting: certificate)
    for _ in 0..<2 { #expect(try await asker.lookUps(of: url) == 1) }
    for isNew in [true, false] {
      asker.waitForUpkeep()
      #expect(try await asker.lookUps(of: "https://b.localhost:\(other.port)/") == (isNew ? 1 : 0))
      #expect(try await asker.lookUps(of: url) == 1)
      #expect(try await asker.lookUps(of: url) == 0)
    }
    await asker.transport.close()
  }

  /// Streams that end beside another look through no addresses.
  @Test func `so it is beside a connection of HTTP/2 that is never without a request`() async throws {
    let (origin, url) = try Self.closingOrigin()
    defer { origin.stop() }
    let certificate = try TestCertificate(for: "DNS:b.localhost")
    let (isBusy, mayEnd) = (OneShot<Void>(), DispatchSemaphore(value: 0))
    let busy = try RawOrigin(identity: certificate.identity, speaking: "h2") { _ in
      [.send(HTTP2Frames.settings), .readStream, .call { isBusy.settle(()) }]
        + HTTP2Frames.answer(to: 3) + [.call { mayEnd.wait() }]
        + [HTTP2Frames.head(of: 1), HTTP2Frames.body(of: 1), .hold]
    }
    defer { busy.stop() }
    // Its thread waits for that, also when something here throws.
    defer { mayEnd.signal() }
    let asker = Asker(trusting: certificate)
    for _ in 0..<2 { #expect(try await asker.lookUps(of: url) == 1) }
    asker.waitForUpkeep()
    let busyURL = "https://b.localhost:\(busy.port)/"
    let long = Task { try await asker.transport.exchange(TransportRequest(url: busyURL)) }
    await isBusy.value
    #expect(try await asker.lookUps(of: busyURL) == 0)
    #expect(try await asker.lookUps(of: url) == 1)
    mayEnd.signal()
    #expect(try await long.value.status == 200)
    await asker.transport.close()
  }
}
