/// A response in a cache, with the time from which its age counts.
public struct StoredResponse: Hashable, Sendable {
  /// The status code.
  public var status: Int
  /// The header fields.
  public var headers: HeaderFields
  /// The body after content decoding.
  public var body: [UInt8]
  /// Seconds since 1970 at which the response was requested or last validated. Its age counts from then.
  public var storedAt: Int64

  /// Creates a response requested at `storedAt`.
  public init(status: Int, headers: HeaderFields, body: [UInt8], storedAt: Int64) {
    self.status = status
    self.headers = headers
    self.body = body
    self.storedAt = storedAt
  }

  /// The freshness of the response; parsed from the header fields at each access.
  package var freshness: Freshness { Freshness(status: status, headers: headers, storedAt: storedAt) }

  /// Returns whether the response may be used at `now` (seconds since 1970) without validation.
  package func isFresh(at now: Int64) -> Bool { freshness.isFresh(at: now) }
}

extension StoredResponse: CustomStringConvertible, CustomReflectable {
  /// The status and the size of the body.
  public var description: String { "StoredResponse(\(status), \(body.count) bytes)" }
  /// The status and the header fields, without the body.
  public var customMirror: Mirror {
    Mirror(self, children: ["status": status, "headers": headers, "bytes": body.count, "storedAt": storedAt])
  }
}

/// `Vary` over fields that a transport adds. Each variant is stored under a key that includes those fields.
/// The key that is looked up first holds a `Vary` marker, which names the fields.
extension StoredResponse {
  /// The `Vary` marker that leads to this response and to its other variants.
  package var varyMarker: StoredResponse {
    var fields = HeaderFields()
    for value in headers.values(of: "vary") { fields.append("vary", value) }
    return StoredResponse(status: Self.varyMarkerStatus, headers: fields, body: [], storedAt: storedAt)
  }

  package var isVaryMarker: Bool { status == Self.varyMarkerStatus }

  /// The status of a marker; no response has it.
  package static let varyMarkerStatus = 0
}
