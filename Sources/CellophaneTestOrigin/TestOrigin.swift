public import Cellophane
public import CellophaneNetwork
internal import Synchronization

/// A certificate and its key, each as PEM text.
public struct TLSIdentity: Sendable {
  /// The certificate chain.
  public let certificatePEM: String
  /// The private key.
  public let privateKeyPEM: String

  /// Creates an identity from its parts.
  public init(certificatePEM: String, privateKeyPEM: String) {
    self.certificatePEM = certificatePEM
    self.privateKeyPEM = privateKeyPEM
  }
}

/// An HTTP/1.1 origin server inside the process, for tests, demonstrations and simulations in real time.
///
/// It uses libmicrohttpd, which every distribution has. It adds no build time and answers at once; the small Swift
/// servers measured for this purpose took 40 ms for 20 KB over loopback.
///
/// The handler runs on the only thread of the origin and must return quickly. Slow responses have an
/// ``OriginResponse/delay`` or an ``OriginResponse/pace``.
public final class TestOrigin: Sendable {
  /// The port on which the origin listens.
  public let port: Int
  /// The part of its URLs before the path, such as `http://127.0.0.1:8080`.
  public let base: String
  /// The network that the origin emulates.
  public var network: NetworkProfile { link.network }

  private let link: OriginLink
  private let server: MicroHTTPD

  /// Starts an origin.
  ///
  /// - Parameters:
  ///   - port: The port, or 0 for any free one.
  ///   - isPublic: True to listen on every address of the machine; false for loopback only.
  ///   - network: The network to emulate, with one bucket for all connections and slow start on each. It must have no
  ///     loss, because the kernel handles the segments.
  ///   - handshakes: The round trips before the first request of a connection: 1 for TCP, 2 to emulate TLS 1.3 as well.
  ///   - identity: The certificate for HTTPS; nil for plain HTTP.
  ///   - handler: Answers each request.
  /// - Throws: ``LoadError/Kind/invalidRequest`` for a port out of range or a network with loss,
  ///   ``LoadError/Kind/io`` when the port is in use.
  public init(
    port: Int = 0, isPublic: Bool = false, network: NetworkProfile = .unlimited, handshakes: Int = 1,
    identity: TLSIdentity? = nil, handler: @escaping @Sendable (OriginRequest) -> OriginResponse
  ) throws(LoadError) {
    guard let wanted = UInt16(exactly: port) else {
      throw LoadError(.invalidRequest, "the port must be from 0 to 65535, not \(port)")
    }
    guard network.loss == 0 else {
      throw LoadError(
        .invalidRequest, "an origin over real sockets cannot lose segments; take a network without loss")
    }
    guard network.queue == nil else {
      throw LoadError(
        .invalidRequest, "an origin over real sockets has no queue; take a network without queue=")
    }
    guard network.wakeUp == nil else {
      throw LoadError(
        .invalidRequest, "an origin over real sockets has no radio; take a network without wake=")
    }
    guard network.variation == nil else {
      throw LoadError(
        .invalidRequest,
        "an origin over real sockets has a constant rate; take a network whose rate does not vary")
    }
    link = try OriginLink(network: network, handshakes: handshakes, handler: handler)
    server = MicroHTTPD(link: link)
    do {
      self.port = try server.start(port: wanted, isPublic: isPublic, identity: identity)
    } catch {
      link.pacer.stop()
      throw error
    }
    base = "\(identity == nil ? "http" : "https")://127.0.0.1:\(self.port)"
  }

  deinit { stop() }

  /// Closes every connection, ends the threads and resumes the tasks that wait for counters. Safe to call twice.
  public func stop() {
    link.pacer.stop()
    server.stop()
    link.ledger.close()
  }

  /// Returns the URL of `target`, a path that begins with a slash.
  public func url(_ target: String) -> String { base + target }

  /// The current counters.
  public var counters: OriginCounters { link.ledger.read { $0.counters } }

  /// Waits until the counters meet a condition, the origin stops or the task is cancelled, and returns the counters.
  /// The condition runs under a lock and must only compare numbers.
  public func counters(when isMet: @escaping @Sendable (OriginCounters) -> Bool) async -> OriginCounters {
    await link.ledger.counters(when: isMet)
  }

  /// The number of requests by path and query.
  public var requestsByTarget: [String: Int] { link.ledger.read { $0.requestsByTarget } }

  /// The completed and aborted requests, in the order of their end.
  public var log: [OriginLogEntry] { link.ledger.read { $0.log } }
}
