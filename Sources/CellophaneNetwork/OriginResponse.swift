public import CellophaneCore

/// The response of an origin, and the faults of its delivery.
public struct OriginResponse: Sendable {
  /// The way a response ends.
  public enum Ending: Hashable, Sendable {
    /// After the last byte.
    case complete
    /// The connection closes after the given number of body bytes.
    case closed(after: Int)
    /// The body stops after the given number of bytes, and the connection stays open.
    case hung(after: Int)
    /// No status line is sent, and the connection stays open.
    case silent
  }

  /// The framing of the body.
  public enum Framing: Hashable, Sendable {
    /// The correct `Content-Length`.
    case length
    /// `Transfer-Encoding: chunked`.
    case chunked
    /// The given `Content-Length`. A shorter body ends with the connection, a longer one is cut.
    case claimed(Int)
  }

  /// The speed of a body that is sent in pieces, within the limits of the network.
  public struct Pace: Hashable, Sendable {
    /// The bytes of one piece.
    public var bytes: Int
    /// The pause before each piece.
    public var interval: Duration

    /// Creates the speed of a piece of `bytes` after each `interval`.
    public init(bytes: Int, every interval: Duration) {
      self.bytes = max(1, bytes)
      self.interval = interval
    }
  }

  /// The status code, 200 to 599.
  public var status: Int
  /// The header fields, without `Content-Length` and `Transfer-Encoding`, which `framing` decides.
  public var headers: HeaderFields
  /// The body as it is sent.
  public var body: [UInt8]
  /// The delay before the status line, in addition to the delay of the network.
  public var delay = Duration.zero
  /// The speed of the body; nil for the speed of the network.
  public var pace: Pace?
  /// The framing of the body.
  public var framing = Framing.length
  /// The way the response ends.
  public var ending = Ending.complete

  /// Creates a response without faults.
  public init(status: Int = 200, headers: HeaderFields = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Returns a redirect to `location`.
  public static func redirect(to location: String, status: Int = 302) -> OriginResponse {
    OriginResponse(status: status, headers: ["location": location])
  }
}
