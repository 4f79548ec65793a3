internal import Synchronization

/// Estimates of the links to origins: latency, saturation, and the number of transfers that run at once.
final class LinkEstimates: Sendable {
  private struct Link {
    var saturation = SaturationEstimator()
    var window: AIMDWindow

    /// The limits at the time `now` when responses begin `latency` after their requests.
    func limits(at latency: Duration?, now: Duration) -> ConcurrencyLimits {
      let saturating = saturation.transfers(at: latency)
      var limits = ConcurrencyLimits(
        saturating: saturating, most: window.transfers(saturating: saturating))
      // A transfer that hangs must not hold back the others.
      if saturating == 1 { limits.visible = 1 + saturation.overdue(at: latency, now: now) }
      return limits
    }
  }

  private struct State {
    var links: [Origin: Link] = [:]
    var transfers: UInt64 = 0
  }

  /// The number of origins that are remembered. Beyond it all estimates start anew.
  static let mostOrigins = LatencyEstimator.mostOrigins

  /// The latency of each origin.
  let latencies: LatencyEstimator
  private let mostAtOnce: Int
  private let state = Mutex(State())

  /// Creates estimates for at most `mostAtOnce` concurrent transfers per origin.
  init(mostAtOnce: Int, latencies: LatencyEstimator = LatencyEstimator()) {
    self.latencies = latencies
    self.mostAtOnce = mostAtOnce
  }

  /// Records that a transfer from `origin` begins. Returns its number.
  func expect(from origin: Origin, at now: Duration) -> UInt64 {
    state.withLock { state in
      state.transfers += 1
      if let index = state.links.index(forKey: origin) {
        state.links.values[index].saturation.expect(state.transfers, at: now)
      } else {
        if state.links.count >= Self.mostOrigins { state.links = [:] }
        var link = Link(window: AIMDWindow(most: mostAtOnce))
        link.saturation.expect(state.transfers, at: now)
        state.links[origin] = link
      }
      return state.transfers
    }
  }

  /// Records the first byte of the response to `transfer`.
  func begin(_ transfer: UInt64, from origin: Origin, at now: Duration) {
    state.withLock { state in
      guard let index = state.links.index(forKey: origin) else { return }
      state.links.values[index].saturation.begin(transfer, at: now)
    }
  }

  /// Records the end of `transfer`. `isAwaited` when a caller waited until then.
  func end(
    _ transfer: UInt64, from origin: Origin, with part: ReceivedPart, isAwaited: Bool, at now: Duration
  ) {
    state.withLock { state in
      guard let index = state.links.index(forKey: origin) else { return }
      state.links.values[index].saturation.end(
        transfer, received: part.bytes, isWhole: part.isWhole, at: now)
      if part.isWhole, isAwaited { state.links.values[index].window.widen() }
    }
  }

  /// Records that an image left the screen while its transfer from `origin` was arriving. Returns the new maximum of
  /// concurrent transfers when it is lower than before.
  func miss(from origin: Origin, at now: Duration) -> Int? {
    let latency = latencies.mean(of: origin)
    return state.withLock { state in
      guard let index = state.links.index(forKey: origin) else { return nil }
      let before = state.links.values[index].limits(at: latency, now: now).most
      state.links.values[index].window.narrow()
      let most = state.links.values[index].limits(at: latency, now: now).most
      return most < min(before, mostAtOnce) ? most : nil
    }
  }

  /// Returns the expected size and rate of a transfer from `origin` whose response has not begun; see
  /// ``SaturationEstimator/expectation``.
  func expectation(of origin: Origin) -> (bytes: Int, rate: Double)? {
    state.withLock { $0.links[origin]?.saturation.expectation }
  }

  /// Returns the time after which to ask for ``limits(of:at:)`` again while visible work waits: until running transfers take
  /// too long. Nil while visible work does not wait for the link.
  func patience(of origin: Origin) -> Duration? {
    let latency = latencies.mean(of: origin)
    return state.withLock { state in
      guard let link = state.links[origin], link.saturation.transfers(at: latency) == 1 else { return nil }
      return link.saturation.patience(at: latency)
    }
  }

  /// Returns how many transfers from `origin` run at once.
  func limits(of origin: Origin, at now: Duration) -> ConcurrencyLimits {
    let latency = latencies.mean(of: origin)
    return state.withLock { state in
      guard let link = state.links[origin] else {
        return ConcurrencyLimits(saturating: SaturationEstimator.least, most: mostAtOnce)
      }
      return link.limits(at: latency, now: now)
    }
  }
}

/// The received part of a body at the end of its transfer.
struct ReceivedPart {
  var bytes: Int
  /// True for the whole body.
  var isWhole: Bool
}

/// The number of transfers that run at once over a link.
struct ConcurrencyLimits: Equatable, Sendable {
  /// The number that saturates the link, and the maximum for prefetches: see ``SaturationEstimator``.
  var saturating = Int.max
  /// The maximum for visible work: 1, and one more for each transfer that takes too long, while one transfer saturates the
  /// link. Otherwise ``most`` is the only limit.
  var visible = Int.max
  /// The maximum for all: see ``AIMDWindow``.
  var most = Int.max
}
