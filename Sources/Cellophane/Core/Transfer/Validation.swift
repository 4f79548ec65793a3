/// The question whether a stored response still holds (RFC 9111, section 4.3), and what a 304 says to it.
struct Validation: Sendable {
  /// The header fields that ask: the stored tag and date, each as it was.
  let fields: HeaderFields
  private let stored: StoredResponse
  private let tag: EntityTag?

  /// The question about `stored`; nil when it has neither tag nor date, or when the caller's request has a
  /// condition or a range of its own, to which a 304 is the caller's answer.
  init?(of stored: StoredResponse, for request: HeaderFields) {
    guard !request.isConditional else { return nil }
    var fields = HeaderFields()
    tag = stored.headers["etag"].flatMap(EntityTag.init)
    if let tag { fields.append("if-none-match", tag.text) }
    if let date = stored.headers["last-modified"], HTTPDate.parse(date, now: stored.storedAt) != nil {
      fields.append("if-modified-since", date)
    }
    // A field that no transport may send would make the load fail.
    guard !fields.isEmpty, fields.defect == nil else { return nil }
    self.fields = fields
    self.stored = stored
  }

  /// The stored response as the 304 `answer` renews it; nil when the 304 is about another version.
  ///
  /// A 304 behind a redirect is about another resource, whose tags are its own.
  func renewed(by answer: TransportResponse, askedAt: Int64) -> StoredResponse? {
    guard answer.redirects.isEmpty, isAnswered(by: answer.headers) else { return nil }
    var old = stored.headers
    // Both told the age of the message that they came with.
    old["age"] = nil
    old["date"] = nil
    var news = answer.headers.ofResource
    // The stored tag names the stored bytes; that of the 304 may be weaker or stronger.
    news["etag"] = nil
    return StoredResponse(
      status: stored.status, headers: old.updated(with: news), body: stored.body, storedAt: askedAt)
  }

  /// True when a 304 with `headers` is about the stored version (RFC 9111, section 4.3.4), or names none. A tag goes
  /// before a date.
  ///
  /// Tags are compared weakly, as the origin does with `If-None-Match`: some weaken the tag of a compressed 200
  /// but not that of the 304 to it.
  private func isAnswered(by headers: HeaderFields) -> Bool {
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
  /// True when a request with these fields has a condition or asks for a part (RFC 9110, sections 13.1, 14.2).
  var isConditional: Bool {
    fields.contains { field in
      switch field.name {
      case "if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "if-range", "range": true
      default: false
      }
    }
  }
}
