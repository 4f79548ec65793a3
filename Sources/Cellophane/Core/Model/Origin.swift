/// The scheme, host and port that one transfer talks to (RFC 6454); the unit of limits per host.
public struct Origin: Hashable, Sendable, CustomStringConvertible {
  /// `http`, `https` or `file`, in lower case.
  public let scheme: String
  /// The host in lower case; empty for `file`.
  public let host: String
  /// The port, with the scheme's default filled in; 0 for `file`.
  public let port: Int
  /// What it is hashed to. Many tables have it as their key, and are asked about it for every transfer.
  private let digest: Int

  /// An origin from its parts, already in lower case.
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

  /// Feeds the hash that was computed once.
  public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

  /// The origin as one writes it in a URL.
  public var description: String { scheme + "://" + authority }

  /// The host, with the port unless that is the scheme's own.
  package var authority: String { port == Self.defaultPort(of: scheme) ? host : host + ":\(port)" }

  static func defaultPort(of scheme: String) -> Int {
    switch scheme {
    case "http": 80
    case "https": 443
    default: 0
    }
  }
}
