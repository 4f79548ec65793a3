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

    /// About how many bytes of memory it takes, with its key.
    func cost(under key: ResponseKey) -> Int {
      // 500: what stands beside the texts, and the room that a dictionary leaves.
      500 + key.url.utf8.count + key.headers.byteCount + url.utf8.count + credentials.byteCount
        + error.message.utf8.count
    }
  }

  private struct State {
    var failures: [ResponseKey: Failure] = [:]
    var bytes = 0

    mutating func remove(_ key: ResponseKey) {
      if let failure = failures.removeValue(forKey: key) { bytes -= failure.cost(under: key) }
    }

    /// Removes those that end first until there is room for `cost` bytes.
    mutating func makeRoom(for cost: Int, at now: Duration) {
      func hasRoom() -> Bool { failures.count < limit && bytes + cost <= KnownFailures.largest }
      if hasRoom() { return }
      for (key, _) in failures.filter({ $0.value.until <= now }) { remove(key) }
      while !hasRoom(),
        let first = failures.min(by: { ($0.value.until, $0.key.url) < ($1.value.until, $1.key.url) })
      {
        remove(first.key)
      }
    }
  }

  /// The most that are remembered. 1 024: the pictures of a long list.
  static let limit = 1_024
  /// The most bytes they take. 1 MB: the limit above, with URLs of a common length.
  static let largest = 1 << 20
  /// The longest that one is remembered. A day: what an origin said by mistake must not last for the life of a server.
  static let longest = Duration.seconds(24 * 60 * 60)

  private let state = Mutex(State())

  /// How many are remembered.
  var count: Int { state.withLock { $0.failures.count } }

  /// About how many bytes of memory they take.
  var bytes: Int { state.withLock { $0.bytes } }

  /// What asking for `errand` at `now`, on one timeline, would come to; nil when that has to be found out. Another
  /// signature and other credentials may come to something else.
  func failure(of errand: Errand, at now: Duration) -> LoadError? {
    let known = state.withLock { state -> Failure? in
      guard let failure = state.failures[errand.key] else { return nil }
      if failure.until > now { return failure }
      state.remove(errand.key)
      return nil
    }
    guard let known, known.url == errand.url, known.credentials == errand.credentials else { return nil }
    let (error, left) = (known.error, known.until - now)
    return LoadError(
      error.kind,
      "\(error.message) \(seconds(now - known.since)) s ago, which lasts for \(seconds(left)) s more"
        // An origin that asked for a pause is left alone by reloads as well.
        + (error.status.map(FailureClass.isTemporary) == true ? "" : "; a reload asks again before"),
      isRetryable: error.isRetryable, status: error.status, retryAfter: left)
  }

  /// Remembers what asking for `errand` came to at `now`: `error`, when it says how long it lasts, or nothing. One that
  /// takes more than an eighth of the room is not worth that of so many others.
  func remember(_ error: LoadError?, of errand: Errand, at now: Duration) {
    state.withLock { state in
      state.remove(errand.key)
      guard let error, let lasts = error.retryAfter else { return }
      let failure = Failure(
        url: errand.url, credentials: errand.credentials, error: error, since: now,
        until: now + min(lasts, Self.longest))
      let cost = failure.cost(under: errand.key)
      guard cost <= Self.largest / 8 else { return }
      state.makeRoom(for: cost, at: now)
      state.failures[errand.key] = failure
      state.bytes += cost
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
