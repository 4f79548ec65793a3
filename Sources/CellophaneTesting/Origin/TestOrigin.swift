public import Cellophane
internal import Synchronization

/// A certificate and its key, PEM text each.
public struct TLSIdentity: Sendable {
  /// The certificate chain.
  public let certificatePEM: String
  /// The private key.
  public let privateKeyPEM: String

  /// An identity from its parts.
  public init(certificatePEM: String, privateKeyPEM: String) {
    self.certificatePEM = certificatePEM
    self.privateKeyPEM = privateKeyPEM
  }
}

/// An HTTP/1.1 origin inside the process, for tests, demonstrations and simulations in real time.
///
/// It answers through libmicrohttpd, which every distribution has: it costs no build time and answers at
/// once, where the small Swift servers measured for this took 40 ms for 20 KB over loopback.
///
/// The handler runs on the origin's only thread, so it must answer quickly; a slow answer is asked for with
/// ``OriginResponse/delay`` and ``OriginResponse/pace``.
public final class TestOrigin: Sendable {
  /// The port it listens on.
  public let port: Int
  /// What stands before the path in its URLs, such as `http://127.0.0.1:8080`.
  public let base: String
  /// What its line does to transfers.
  public var network: NetworkProfile { line.network }

  private let line: OriginLine
  private let server: MicroHTTPD

  /// Starts an origin.
  ///
  /// - Parameters:
  ///   - port: The port, or 0 for any free one.
  ///   - isPublic: True to listen on every address of the machine instead of on loopback alone.
  ///   - network: What the line does; one bucket for all connections, and slow start on each. Nothing is lost:
  ///     segments are the kernel's.
  ///   - handshakes: The round trips before a connection's first request: 1 for TCP's, 2 to act TLS 1.3 as well.
  ///   - identity: For HTTPS; nil is plain HTTP.
  ///   - handler: Answers each request.
  /// - Throws: ``LoadError/Kind/invalidRequest`` for a port out of range, ``LoadError/Kind/io`` when the
  ///   port is taken.
  public init(
    port: Int = 0, isPublic: Bool = false, network: NetworkProfile = .unlimited, handshakes: Int = 1,
    identity: TLSIdentity? = nil, handler: @escaping @Sendable (OriginRequest) -> OriginResponse
  ) throws(LoadError) {
    guard let wanted = UInt16(exactly: port) else {
      throw LoadError(.invalidRequest, "the port \(port) is not in 0...65535")
    }
    guard network.loss == 0 else {
      throw LoadError(
        .invalidRequest, "an origin over real sockets cannot lose segments; take a network without loss")
    }
    line = try OriginLine(network: network, handshakes: handshakes, handler: handler)
    server = MicroHTTPD(line: line)
    do {
      self.port = try server.start(port: wanted, isPublic: isPublic, identity: identity)
    } catch {
      line.pacer.stop()
      throw error
    }
    base = "\(identity == nil ? "http" : "https")://127.0.0.1:\(self.port)"
  }

  deinit { stop() }

  /// Closes every connection, ends the threads and lets those who wait for counters go. May be called twice.
  public func stop() {
    line.pacer.stop()
    server.stop()
    line.ledger.close()
  }

  /// The URL of `target`, a path with its leading slash.
  public func url(_ target: String) -> String { base + target }

  /// The counters now.
  public var counters: OriginCounters { line.ledger.read { $0.counters } }

  /// Waits until the counters meet a condition and returns them; earlier when the origin stops or the task
  /// is cancelled. The condition runs under a lock: it compares numbers and nothing else.
  public func counters(when isMet: @escaping @Sendable (OriginCounters) -> Bool) async -> OriginCounters {
    await line.ledger.counters(when: isMet)
  }

  /// The requests per path and query.
  public var requestsByTarget: [String: Int] { line.ledger.read { $0.requestsByTarget } }

  /// The answered requests, in the order in which they ended.
  public var log: [OriginLogEntry] { line.ledger.read { $0.log } }
}
