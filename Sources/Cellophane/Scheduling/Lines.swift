internal import Synchronization

/// The lines to origins: how long each takes until the first byte of an answer, and how many transfers fill it.
final class Lines: Sendable {
  private struct Line {
    var fill = SaturationEstimator()
    var window: AIMDWindow

    /// How many run at once when an answer begins so long after its request.
    func places(after wait: Duration?) -> Places {
      let filling = fill.transfers(after: wait)
      return Places(filling: filling, most: window.transfers(filling: filling))
    }
  }

  private struct State {
    var lines: [Origin: Line] = [:]
    var transfers: UInt64 = 0
  }

  /// How many transfers run at once over a line.
  struct Places: Equatable, Sendable {
    /// So many fill it: see ``SaturationEstimator``.
    var filling = Int.max
    /// At most: see ``AIMDWindow``.
    var most = Int.max
  }

  /// As many origins as are remembered; then all are measured anew.
  static let mostOrigins = LatencyEstimator.mostOrigins

  private let roundTrips: LatencyEstimator
  private let mostAtOnce: Int
  private let state = Mutex(State())

  /// No lines yet; answers begin as late as `roundTrips` says, and at most `mostAtOnce` run to an origin.
  init(_ roundTrips: LatencyEstimator, mostAtOnce: Int) {
    self.roundTrips = roundTrips
    self.mostAtOnce = mostAtOnce
  }

  /// A transfer from `origin` begins; returns its number.
  func expect(from origin: Origin) -> UInt64 {
    state.withLock { state in
      state.transfers += 1
      if let index = state.lines.index(forKey: origin) {
        state.lines.values[index].fill.expect(state.transfers)
      } else {
        if state.lines.count >= Self.mostOrigins { state.lines = [:] }
        var line = Line(window: AIMDWindow(most: mostAtOnce))
        line.fill.expect(state.transfers)
        state.lines[origin] = line
      }
      return state.transfers
    }
  }

  /// The first byte of its answer is there.
  func begin(_ transfer: UInt64, from origin: Origin, at now: Duration) {
    state.withLock { state in
      guard let index = state.lines.index(forKey: origin) else { return }
      state.lines.values[index].fill.begin(transfer, at: now)
    }
  }

  /// It is over, whole or not, and brought `received` bytes; `isAwaited` when somebody waited for it to the end.
  func end(
    _ transfer: UInt64, from origin: Origin, received: Int, isWhole: Bool, isAwaited: Bool, at now: Duration
  ) {
    state.withLock { state in
      guard let index = state.lines.index(forKey: origin) else { return }
      state.lines.values[index].fill.end(transfer, received: received, isWhole: isWhole, at: now)
      if isWhole, isAwaited { state.lines.values[index].window.widen() }
    }
  }

  /// A transfer from `origin` was arriving when what it was for went off the screen. Returns how many run at once from now
  /// on, when that is fewer than before.
  func miss(from origin: Origin) -> Int? {
    let wait = roundTrips.mean(of: origin)
    return state.withLock { state in
      guard let index = state.lines.index(forKey: origin) else { return nil }
      let before = state.lines.values[index].places(after: wait).most
      state.lines.values[index].window.narrow()
      let most = state.lines.values[index].places(after: wait).most
      return most < min(before, mostAtOnce) ? most : nil
    }
  }

  /// What to expect of a transfer from `origin` whose answer has not begun; see ``SaturationEstimator/expectation``.
  func expectation(of origin: Origin) -> (bytes: Int, rate: Double)? {
    state.withLock { $0.lines[origin]?.fill.expectation }
  }

  /// How many transfers run at once to `origin`.
  func places(at origin: Origin) -> Places {
    let wait = roundTrips.mean(of: origin)
    return state.withLock { state in
      guard let line = state.lines[origin] else {
        return Places(filling: SaturationEstimator.least, most: mostAtOnce)
      }
      return line.places(after: wait)
    }
  }
}
