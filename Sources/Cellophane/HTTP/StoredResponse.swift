/// A response as it is kept, with the time from which its age counts.
public struct StoredResponse: Hashable, Sendable {
  /// The status code.
  public var status: Int
  /// The header fields.
  public var headers: HeaderFields
  /// The body after content decoding.
  public var body: [UInt8]
  /// Seconds since 1970 at which it was asked for, or, since then, found to hold still; see ``Freshness/storedAt``.
  public var storedAt: Int64

  /// A response stored at `storedAt`.
  public init(status: Int, headers: HeaderFields, body: [UInt8], storedAt: Int64) {
    self.status = status
    self.headers = headers
    self.body = body
    self.storedAt = storedAt
  }

  /// How long it may be used without asking again; read from the headers at each call.
  public var freshness: Freshness { Freshness(status: status, headers: headers, storedAt: storedAt) }

  /// True when it may be used at `now` (seconds since 1970) without asking its origin.
  public func isFresh(at now: Int64) -> Bool { freshness.isFresh(at: now) }
}

/// Where an origin chooses its answers by fields that transports send of their own (`Vary`), each answer lies under a
/// key of its own, and a signpost under the one that is looked up first.
extension StoredResponse {
  /// What leads to this response, and to others that were chosen by the same fields.
  var signpost: StoredResponse {
    var fields = HeaderFields()
    for value in headers.values(of: "vary") { fields.append("vary", value) }
    return StoredResponse(status: Self.signpostStatus, headers: fields, body: [], storedAt: storedAt)
  }

  var isSignpost: Bool { status == Self.signpostStatus }

  /// No response has it.
  static let signpostStatus = 0
}
