public import Cellophane

/// A request that the origin received.
public struct OriginRequest: Sendable {
  /// `GET`, `HEAD`, …
  public let method: String
  /// The path and, when there is one, `?` and the query; percent-encoded, as sent.
  public let target: String
  /// The header fields.
  public let headers: HeaderFields
  /// The number of its connection, from 1.
  public let connection: Int
  /// The number of the request at this origin, from 1.
  public let sequence: Int

  /// The path, percent-encoded.
  public var path: String { String(target.prefix { $0 != "?" }) }
  /// The query after `?`, percent-encoded.
  public var query: String? {
    target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
  }
}
