public import Cellophane

/// A request as the origin saw it.
public struct OriginRequest: Sendable {
  /// `GET`, `HEAD`, …
  public let method: String
  /// The path and, when there is one, `?` and the query; percent-encoded, as sent.
  public let target: String
  /// The header fields.
  public let headers: HeaderFields
  /// The number of the connection it came over, from 1.
  public let connection: Int
  /// The number of the request at this origin, from 1.
  public let sequence: Int

  /// The path, percent-encoded.
  public var path: String { String(target.prefix { $0 != "?" }) }
  /// What follows `?`, percent-encoded.
  public var query: String? {
    target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
  }
}

/// What the origin answers, and how badly.
public struct OriginResponse: Sendable {
  /// How the answer ends.
  public enum Course: Hashable, Sendable {
    /// After the last byte.
    case whole
    /// The connection closes after so many bytes of the body.
    case closed(after: Int)
    /// Nothing more comes after so many bytes of the body, and the connection stays open.
    case hung(after: Int)
    /// Not even a status line comes, and the connection stays open.
    case silent
  }

  /// How the body's length is told.
  public enum Framing: Hashable, Sendable {
    /// A true `Content-Length`.
    case length
    /// `Transfer-Encoding: chunked`.
    case chunked
    /// A `Content-Length` of so many bytes; a shorter body ends with the connection, a longer one is cut.
    case claimed(Int)
  }

  /// A body sent in pieces, as long as the line lets it.
  public struct Pace: Hashable, Sendable {
    /// The bytes of one piece.
    public var bytes: Int
    /// The pause before each piece.
    public var interval: Duration

    /// A piece of `bytes` every `interval`.
    public init(bytes: Int, every interval: Duration) {
      self.bytes = max(1, bytes)
      self.interval = interval
    }
  }

  /// The status code, 200 to 599.
  public var status: Int
  /// The header fields, without `Content-Length` and `Transfer-Encoding`, which `framing` decides.
  public var headers: HeaderFields
  /// The body, as it goes over the wire.
  public var body: [UInt8]
  /// The wait before the status line, besides what the network adds.
  public var delay = Duration.zero
  /// How fast the body comes; nil is as fast as the line allows.
  public var pace: Pace?
  /// How the body's length is told.
  public var framing = Framing.length
  /// How the answer ends.
  public var course = Course.whole

  /// An answer without faults.
  public init(status: Int = 200, headers: HeaderFields = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A redirect to `location`.
  public static func redirect(to location: String, status: Int = 302) -> OriginResponse {
    OriginResponse(status: status, headers: ["location": location])
  }
}
