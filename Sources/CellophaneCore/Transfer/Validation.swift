/// A conditional request for a stored response (RFC 9111, section 4.3), and the update by a 304.
package struct Validation: Sendable {
  /// The conditional header fields: the stored entity tag and modification date, unchanged.
  package let fields: HeaderFields
  private let stored: StoredResponse
  private let tag: EntityTag?

  /// Creates the validation of `stored`. Nil if it has neither tag nor date, or if the caller's request has
  /// its own condition or range, so that a 304 is addressed to the caller.
  package init?(of stored: StoredResponse, for request: HeaderFields) {
    guard !request.isConditional else { return nil }
    var fields = HeaderFields()
    tag = stored.headers["etag"].flatMap(EntityTag.init)
    if let tag { fields.append("if-none-match", tag.text) }
    if let date = stored.headers["last-modified"], HTTPDate.parse(date, now: stored.storedAt) != nil {
      fields.append("if-modified-since", date)
    }
    // A field that must not be sent would fail the load.
    guard !fields.isEmpty, fields.defect == nil else { return nil }
    self.fields = fields
    self.stored = stored
  }

  /// Returns the stored response updated by the 304 `response`; nil if the 304 is about another version.
  ///
  /// A 304 after a redirect belongs to another resource, which has its own tags.
  package func renewed(by response: TransportResponse, askedAt: Int64) -> StoredResponse? {
    guard response.redirects.isEmpty, matches(response.headers) else { return nil }
    var headers = stored.headers
    // Both fields describe the message that they were received with.
    headers["age"] = nil
    headers["date"] = nil
    var update = response.headers.storable
    // The stored tag identifies the stored bytes; the tag of the 304 may be weaker or stronger.
    update["etag"] = nil
    return StoredResponse(
      status: stored.status, headers: headers.updated(with: update), body: stored.body, storedAt: askedAt)
  }

  /// Returns whether a 304 with `headers` is about the stored version (RFC 9111, section 4.3.4) or names no
  /// version. A tag takes precedence over a date.
  ///
  /// Tags are compared weakly, as origins do for `If-None-Match`: some servers weaken the tag of a compressed
  /// 200 but not that of its 304.
  private func matches(_ headers: HeaderFields) -> Bool {
    let tags = headers.values(of: "etag")
    if !tags.isEmpty {
      return tags == stored.headers.values(of: "etag")
        || tag.map { tag in tags.allSatisfy { EntityTag($0)?.opaque == tag.opaque } } ?? false
    }
    guard let asked = fields["if-modified-since"], let date = headers["last-modified"] else { return true }
    return date == asked
  }
}

extension HeaderFields {
  /// True if a request with these fields has a condition or a range (RFC 9110, sections 13.1 and 14.2).
  package var isConditional: Bool { fields.contains { Self.isCondition($0.name) } }

  /// Returns whether the field with this lower-case name is a condition or a range.
  private static func isCondition(_ name: String) -> Bool {
    switch name {
    case "if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "if-range", "range": true
    default: false
    }
  }

  /// Returns whether a cache key may lack the field with this lower-case name. A credential, a condition and a range
  /// always select the response.
  package static func mayBeIgnored(_ name: String) -> Bool { !isCredential(name) && !isCondition(name) }
}
