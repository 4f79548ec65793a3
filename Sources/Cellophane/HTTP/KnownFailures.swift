internal import Synchronization

/// Failures of which their origin said how long they last, so that it is not asked again before. In memory, and only
/// so many.
final class KnownFailures: Sendable {
  private struct Failure {
    let url: String
    let credentials: HeaderFields
    let error: LoadError
    let since: Duration
    let until: Duration
  }

  /// The most that are remembered. 1 024: the pictures of a long list, in about half a megabyte.
  static let limit = 1_024
  /// The longest that one is remembered. A day: what an origin said by mistake must not last for the life of a server.
  static let longest = Duration.seconds(24 * 60 * 60)

  private let failures = Mutex<[ResponseKey: Failure]>([:])

  /// How many are remembered.
  var count: Int { failures.withLock { $0.count } }

  /// What asking for `errand` at `now`, on one timeline, would come to; nil when that has to be found out. Another
  /// signature and other credentials may come to something else.
  func failure(of errand: Errand, at now: Duration) -> LoadError? {
    let known = failures.withLock { failures -> Failure? in
      guard let failure = failures[errand.key] else { return nil }
      if failure.until > now { return failure }
      failures[errand.key] = nil
      return nil
    }
    guard let known, known.url == errand.url, known.credentials == errand.credentials else { return nil }
    let (error, left) = (known.error, known.until - now)
    return LoadError(
      error.kind,
      "\(error.message) \(seconds(now - known.since)) s ago, which lasts for \(seconds(left)) s more; a reload asks"
        + " again before",
      isRetryable: error.isRetryable, status: error.status, retryAfter: left)
  }

  /// Remembers what asking for `errand` came to at `now`: `error`, when it says how long it lasts, or nothing.
  func remember(_ error: LoadError?, of errand: Errand, at now: Duration) {
    failures.withLock { failures in
      failures[errand.key] = nil
      guard let error, let lasts = error.retryAfter else { return }
      if failures.count >= Self.limit {
        failures = failures.filter { $0.value.until > now }
        while failures.count >= Self.limit,
          let first = failures.min(by: { ($0.value.until, $0.key.url) < ($1.value.until, $1.key.url) })
        {
          failures[first.key] = nil
        }
      }
      failures[errand.key] = Failure(
        url: errand.url, credentials: errand.credentials, error: error, since: now,
        until: now + min(lasts, Self.longest))
    }
  }

  private func seconds(_ duration: Duration) -> Int64 { Int64((duration / .seconds(1)).rounded(.up)) }
}

extension Errand {
  /// Who asks.
  fileprivate var credentials: HeaderFields {
    var credentials = HeaderFields()
    for field in headers.fields where HeaderFields.isCredential(field.name) {
      credentials.append(field.name, field.value)
    }
    return credentials
  }
}
