/// The beginning of a response's body, kept when its transfer broke or when nobody waited for it any more, so
/// that another transfer can go on behind it.
public struct StoredPrefix: Hashable, Sendable {
  /// How long a prefix is kept, in seconds. A day: who comes back to a page does so within hours, and what
  /// was never finished must not take room from what was.
  public static let lifetime: Int64 = 86_400

  /// The status code of the response that began.
  public var status: Int
  /// Its header fields.
  public var headers: HeaderFields
  /// The bytes that arrived, as `Content-Encoding` says if the fields have one; at least one.
  public var bytes: [UInt8]
  /// The length of the whole body in the same coding, when it is known; more than there are `bytes`.
  public var total: Int?
  /// Seconds since 1970 at which the response was asked for.
  public var storedAt: Int64

  /// A prefix of a response that was asked for at `storedAt`.
  public init(status: Int, headers: HeaderFields, bytes: [UInt8], total: Int?, storedAt: Int64) {
    self.status = status
    self.headers = headers
    self.bytes = bytes
    self.total = total
    self.storedAt = storedAt
  }

  /// True when something is here and something is missing.
  var isPartial: Bool { !bytes.isEmpty && total.map { $0 > bytes.count } ?? true }

  /// True when it is too old at `now` (seconds since 1970), or from a future that the clock was set back from.
  func isExpired(at now: Int64) -> Bool {
    let (age, overflow) = now.subtractingReportingOverflow(storedAt)
    return overflow || !(-60...Self.lifetime).contains(age)
  }
}
