internal import Synchronization

/// Estimates of the links to origins: latency, saturation, and the number of transfers that run at once.
final class LinkEstimates: Sendable {
  private struct Link {
    var saturation = SaturationEstimator()
    var window: AIMDWindow

    /// The limits when responses begin `latency` after their requests.
    func limits(at latency: Duration?) -> ConcurrencyLimits {
      let saturating = saturation.transfers(at: latency)
      return ConcurrencyLimits(saturating: saturating, most: window.transfers(saturating: saturating))
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
  func expect(from origin: Origin) -> UInt64 {
    state.withLock { state in
      state.transfers += 1
      if let index = state.links.index(forKey: origin) {
        state.links.values[index].saturation.expect(state.transfers)
      } else {
        if state.links.count >= Self.mostOrigins { state.links = [:] }
        var link = Link(window: AIMDWindow(most: mostAtOnce))
        link.saturation.expect(state.transfers)
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
  func miss(from origin: Origin) -> Int? {
    let latency = latencies.mean(of: origin)
    return state.withLock { state in
      guard let index = state.links.index(forKey: origin) else { return nil }
      let before = state.links.values[index].limits(at: latency).most
      state.links.values[index].window.narrow()
      let most = state.links.values[index].limits(at: latency).most
      return most < min(before, mostAtOnce) ? most : nil
    }
  }

  /// Returns the expected size and rate of a transfer from `origin` whose response has not begun; see
  /// ``SaturationEstimator/expectation``.
  func expectation(of origin: Origin) -> (bytes: Int, rate: Double)? {
    state.withLock { $0.links[origin]?.saturation.expectation }
  }

  /// Returns how many transfers from `origin` run at once.
  func limits(of origin: Origin) -> ConcurrencyLimits {
    let latency = latencies.mean(of: origin)
    return state.withLock { state in
      guard let link = state.links[origin] else {
        return ConcurrencyLimits(saturating: SaturationEstimator.least, most: mostAtOnce)
      }
      return link.limits(at: latency)
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
  /// The maximum for all: see ``AIMDWindow``.
  var most = Int.max
}
