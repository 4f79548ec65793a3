/// The beginning of a response's body, from which a later transfer can resume. It is stored when a transfer
/// breaks or is cancelled.
package struct StoredPrefix: Hashable, Sendable {
  /// The time for which a prefix is kept, in seconds: a day. Users return to a page within hours, and
  /// unfinished bodies must not displace complete responses.
  package static let lifetime: Int64 = 86_400

  /// The status code of the interrupted response.
  package var status: Int
  /// The header fields of the interrupted response.
  package var headers: HeaderFields
  /// The received bytes, encoded as `Content-Encoding` states if the field is present; at least one.
  package var bytes: [UInt8]
  /// The length of the complete body in the same coding, if known; larger than the number of `bytes`.
  package var total: Int?
  /// Seconds since 1970 at which the request was sent.
  package var storedAt: Int64

  /// Creates a prefix of a response that was requested at `storedAt`.
  package init(status: Int, headers: HeaderFields, bytes: [UInt8], total: Int?, storedAt: Int64) {
    self.status = status
    self.headers = headers
    self.bytes = bytes
    self.total = total
    self.storedAt = storedAt
  }

  /// True if some bytes are present and some are missing or may be missing.
  package var isPartial: Bool { !bytes.isEmpty && total.map { $0 > bytes.count } ?? true }

  /// Returns whether the prefix is too old at `now` (seconds since 1970), or more than a minute in the future
  /// because the clock was set back.
  package func isExpired(at now: Int64) -> Bool {
    let (age, overflow) = now.subtractingReportingOverflow(storedAt)
    return overflow || !(-60...Self.lifetime).contains(age)
  }
}
