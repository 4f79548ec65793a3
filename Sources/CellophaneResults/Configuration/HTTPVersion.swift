/// A version of HTTP, and the order in which servers send the responses that share a connection.
public enum HTTPVersion: String, Sendable, CaseIterable {
  /// HTTP/1.1: one exchange at a time per connection.
  case http1 = "1"
  /// HTTP/2: one connection, on which the most urgent response is sent first (RFC 9218).
  case http2 = "2"
  /// HTTP/2 from a server that ignores priorities: one response after the other, in the order of the requests.
  case http2FIFO = "2-fifo"
  /// HTTP/2 from a server that ignores priorities: all responses at once, with equal shares.
  case http2RoundRobin = "2-roundrobin"
  /// HTTP/3: as HTTP/2, over QUIC. Its handshake takes one round trip, and a loss delays only its own response.
  case http3 = "3"
}

extension HTTPVersion: Codable {
  /// Decodes a number, or the text of a version that is no number.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try (try? container.decode(Int.self)).map { "\($0)" } ?? container.decode(String.self)
    guard let version = Self(rawValue: text) else {
      let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw ScenarioField.error(
        ScenarioField.path(decoder.codingPath), "unknown version '\(text)'; use one of \(names)")
    }
    self = version
  }

  /// Encodes the format that ``init(from:)`` decodes.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let number = Int(rawValue) { try container.encode(number) } else { try container.encode(rawValue) }
  }
}
