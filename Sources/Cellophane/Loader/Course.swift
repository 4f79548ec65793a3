/// Where the redirects of a turn have led, and what is stored there.
///
/// Each place is a resource of its own: what it has is fresh as long as it says, is asked whether it still holds,
/// and answers all whom redirects lead there.
struct Course: Sendable {
  /// What is asked for now.
  private(set) var errand: Errand
  /// The answers that led there, first to last.
  private(set) var redirects: [TransportResponse.Redirect] = []
  /// What they took.
  private(set) var spent = TransferTimings()
  /// When the first of them was asked for, in seconds since 1970; nil at the beginning.
  private(set) var begunAt: Int64?

  /// At the beginning.
  init(_ errand: Errand) { self.errand = errand }

  /// True behind the first redirect.
  var isElsewhere: Bool { !redirects.isEmpty }

  /// Goes where `response`, a redirect that was asked for at `askedAt`, points.
  ///
  /// - Throws: ``LoadError`` when that is no URL.
  mutating func follow(
    _ response: TransportResponse, to target: String, namedBy identity: URLIdentity?, askedAt: Int64
  ) throws(LoadError) {
    if begunAt == nil { begunAt = askedAt }
    errand = try errand.led(to: target, namedBy: identity)
    redirects.append(TransportResponse.Redirect(status: response.status, headers: response.headers))
    spent += response.timings
  }
}
