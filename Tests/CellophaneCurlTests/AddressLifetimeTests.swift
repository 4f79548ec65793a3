internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Dispatch
internal import Synchronization
internal import Testing

@testable internal import CellophaneCurl

@Suite("Expired addresses", .timeLimit(.minutes(1)))
struct AddressLifetimeTests {
  /// A client with addresses that expire at once. It counts its lookups.
  private struct Client {
    private let time = VirtualTime()
    let transport: CurlTransport
    private let lookups = LookupCounter()

    private final class LookupCounter: Sendable {
      let count = Atomic(0)
    }

    init(trusting certificate: TestCertificate? = nil) {
      var configuration = CurlTransport.Configuration()
      configuration.caFile = certificate?.file
      configuration.proxy = .direct
      let addresses = AddressResolution(
        lifetime: 0, onLookUp: { [lookups] in lookups.count.add(1, ordering: .relaxed) })
      transport = CurlTransport(configuration, addresses, timeline: time.timeline())
    }

    func waitForPurge() { time.run(until: time.now.advanced(by: AddressPurgeSchedule.interval)) }

    /// Returns the number of addresses that a request for `url` looks up.
    func lookups(for url: String) async throws -> Int {
      let before = lookups.count.load(ordering: .relaxed)
      _ = try await transport.exchange(TransportRequest(url: url))
      return lookups.count.load(ordering: .relaxed) - before
    }
  }

  /// Returns an origin that closes each connection, so that the next request needs an address.
  private static func closingOrigin() throws -> (RawOrigin, url: String) {
    let origin = try RawOrigin(answer: Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))
    return (origin, "http://a.localhost:\(origin.port)/")
  }

  @Test func `an expired address is looked up again after the purge interval`() async throws {
    let (origin, url) = try Self.closingOrigin()
    defer { origin.stop() }
    let client = Client()
    // The first transfer scans all addresses at its end and removes its own.
    #expect(try await client.lookups(for: url) == 1)
    #expect(try await client.lookups(for: url) == 1)
    for _ in 0..<3 { #expect(try await client.lookups(for: url) == 0) }
    client.waitForPurge()
    #expect(try await client.lookups(for: url) == 1)
    await client.transport.close()
  }

  @Test func `a request that cannot connect purges expired addresses`() async throws {
    let (origin, url) = try Self.closingOrigin()
    defer { origin.stop() }
    // No process listens on port 1.
    let refusedURL = "http://a.localhost:1/"
    let client = Client()
    for _ in 0..<2 { #expect(try await client.lookups(for: url) == 1) }
    for _ in 0..<2 {
      client.waitForPurge()
      await #expect(throws: LoadError.self) { try await client.lookups(for: refusedURL) }
      #expect(try await client.lookups(for: url) == 1)
      #expect(try await client.lookups(for: url) == 0)
    }
    await client.transport.close()
  }

  @Test func `a request that is alone on an HTTP/2 connection purges expired addresses`() async throws {
    let (origin, url) = try Self.closingOrigin()
    defer { origin.stop() }
    let certificate = try TestCertificate(for: "DNS:b.localhost")
    let other = try RawOrigin(identity: certificate.identity, speaking: "h2") { _ in
      [.send(HTTP2Frames.settings)] + HTTP2Frames.response(to: 1) + HTTP2Frames.response(to: 3) + [.hold]
    }
    defer { other.stop() }
    let client = Client(trusting: certificate)
    for _ in 0..<2 { #expect(try await client.lookups(for: url) == 1) }
    for isNew in [true, false] {
      client.waitForPurge()
      #expect(try await client.lookups(for: "https://b.localhost:\(other.port)/") == (isNew ? 1 : 0))
      #expect(try await client.lookups(for: url) == 1)
      #expect(try await client.lookups(for: url) == 0)
    }
    await client.transport.close()
  }

  /// The end of a stream purges no addresses while another stream is open.
  @Test func `an expired address is looked up again while an HTTP/2 connection stays busy`() async throws {
    let (origin, url) = try Self.closingOrigin()
    defer { origin.stop() }
    let certificate = try TestCertificate(for: "DNS:b.localhost")
    let (isBusy, mayEnd) = (OneShot<Void>(), DispatchSemaphore(value: 0))
    let busy = try RawOrigin(identity: certificate.identity, speaking: "h2") { _ in
      [.send(HTTP2Frames.settings), .readStream, .call { isBusy.settle(()) }]
        + HTTP2Frames.response(to: 3) + [.call { mayEnd.wait() }]
        + [HTTP2Frames.head(of: 1), HTTP2Frames.body(of: 1), .hold]
    }
    defer { busy.stop() }
    // The origin's thread waits for the signal, even if the test throws.
    defer { mayEnd.signal() }
    let client = Client(trusting: certificate)
    for _ in 0..<2 { #expect(try await client.lookups(for: url) == 1) }
    client.waitForPurge()
    let busyURL = "https://b.localhost:\(busy.port)/"
    let long = Task { try await client.transport.exchange(TransportRequest(url: busyURL)) }
    await isBusy.value
    #expect(try await client.lookups(for: busyURL) == 0)
    #expect(try await client.lookups(for: url) == 1)
    mayEnd.signal()
    #expect(try await long.value.status == 200)
    await client.transport.close()
  }
}
