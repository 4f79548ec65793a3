internal import Synchronization

/// Transfers that were given up and are not yet over. Who asks for the same in that moment waits for what they leave,
/// rather than begin at the beginning because it is not on disk yet.
final class CancelledTransfers: Sendable {
  /// One transfer that may be given up.
  final class CancelledTransfer: Sendable {
    /// What it leaves; nil unless it is given up.
    fileprivate let rest = Mutex<OneShot<Resumption?>?>(nil)
  }

  private let state = Mutex<[ResponseKey: CancelledTransfer]>([:])

  /// How many transfers are being given up, and nobody has asked what they leave.
  var count: Int { state.withLock { $0.count } }

  /// The transfer for `key` is given up.
  func announce(_ departure: CancelledTransfer, of key: ResponseKey) {
    departure.rest.withLock { $0 = OneShot() }
    state.withLock { $0[key] = departure }
  }

  /// The transfer is over, given up or not, and leaves `rest`.
  func end(_ departure: CancelledTransfer, of key: ResponseKey, leaving rest: Resumption?) {
    // Mostly it was not given up.
    guard let cell = departure.rest.withLock(\.self) else { return }
    state.withLock { if $0[key] === departure { $0[key] = nil } }
    cell.settle(rest)
  }

  /// What a transfer leaves that is given up right now, for the first who asks; nil at once when there is none.
  func rest(of key: ResponseKey) async -> Resumption? {
    guard let departure = state.withLock({ $0.isEmpty ? nil : $0.removeValue(forKey: key) }) else {
      return nil
    }
    return await departure.rest.withLock(\.self)?.value ?? nil
  }
}
