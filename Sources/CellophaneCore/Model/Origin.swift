/// The scheme, host and port of a transfer (RFC 6454). Limits per host apply to an origin.
public struct Origin: Hashable, Sendable, CustomStringConvertible {
  /// `http`, `https` or `file`, in lower case.
  public let scheme: String
  /// The host in lower case; empty for `file`.
  public let host: String
  /// The port, or the scheme's default port; 0 for `file`.
  public let port: Int
  /// The precomputed hash. Several tables use an origin as their key, and each transfer looks it up in them.
  private let digest: Int

  /// Creates an origin from its parts, which must be in lower case.
  public init(scheme: String, host: String, port: Int) {
    self.scheme = scheme
    self.host = host
    self.port = port
    var hasher = Hasher()
    hasher.combine(scheme)
    hasher.combine(host)
    hasher.combine(port)
    digest = hasher.finalize()
  }

  /// Feeds the precomputed hash.
  public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

  /// The origin as written in a URL.
  public var description: String { scheme + "://" + authority }

  /// The host, followed by the port unless it is the scheme's default.
  package var authority: String { port == Self.defaultPort(of: scheme) ? host : host + ":\(port)" }

  static func defaultPort(of scheme: String) -> Int {
    switch scheme {
    case "http": 80
    case "https": 443
    default: 0
    }
  }
}
