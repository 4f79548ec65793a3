internal import Synchronization

/// The lines to origins: how long each takes until the first byte of an answer, and how many transfers fill it.
final class Lines: Sendable {
  private struct State {
    var fills: [Origin: LineFill] = [:]
    var transfers: UInt64 = 0
  }

  /// As many origins as are remembered; then all are measured anew.
  static let mostOrigins = RoundTrips.mostOrigins

  private let roundTrips: RoundTrips
  private let state = Mutex(State())

  /// No lines yet; answers begin as late as `roundTrips` says.
  init(_ roundTrips: RoundTrips) { self.roundTrips = roundTrips }

  /// A transfer from `origin` begins; returns its number.
  func expect(from origin: Origin) -> UInt64 {
    state.withLock { state in
      state.transfers += 1
      if state.fills[origin] == nil, state.fills.count >= Self.mostOrigins { state.fills = [:] }
      state.fills[origin, default: LineFill()].expect(state.transfers)
      return state.transfers
    }
  }

  /// The first byte of its answer is there.
  func begin(_ transfer: UInt64, from origin: Origin, at now: Duration) {
    state.withLock { $0.fills[origin]?.begin(transfer, at: now) }
  }

  /// It is over, whole or not, and brought `received` bytes.
  func end(_ transfer: UInt64, from origin: Origin, received: Int, isWhole: Bool, at now: Duration) {
    state.withLock { $0.fills[origin]?.end(transfer, received: received, isWhole: isWhole, at: now) }
  }

  /// How many transfers at once fill the line to `origin`; see ``LineFill``.
  func transfersFilling(_ origin: Origin) -> Int {
    let wait = roundTrips.mean(of: origin)
    return state.withLock { $0.fills[origin]?.transfers(after: wait) } ?? LineFill.least
  }
}
