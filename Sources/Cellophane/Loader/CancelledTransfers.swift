internal import Synchronization

/// Transfers that are being cancelled. A new load of the same key waits for their partial body instead of starting at
/// byte 0 because the body is not on disk yet.
final class CancelledTransfers: Sendable {
  /// A transfer that may be cancelled.
  final class Transfer: Sendable {
    /// The partial body that it leaves; nil unless the transfer is cancelled.
    fileprivate let rest = Mutex<OneShot<Resumption?>?>(nil)
  }

  private let state = Mutex<[ResponseKey: Transfer]>([:])

  /// The number of transfers being cancelled whose partial body no load has claimed.
  var count: Int { state.withLock { $0.count } }

  /// Records that `transfer` of `key` is being cancelled.
  func announce(_ transfer: Transfer, of key: ResponseKey) {
    transfer.rest.withLock { $0 = OneShot() }
    state.withLock { $0[key] = transfer }
  }

  /// Ends `transfer`, cancelled or not, with the partial body `rest`.
  func end(_ transfer: Transfer, of key: ResponseKey, leaving rest: Resumption?) {
    // The usual case: it was not cancelled.
    guard let cell = transfer.rest.withLock(\.self) else { return }
    state.withLock { if $0[key] === transfer { $0[key] = nil } }
    cell.settle(rest)
  }

  /// Claims the partial body of a transfer that is being cancelled, and waits for it. Nil at once when there is none, or
  /// when another load has claimed it.
  func rest(of key: ResponseKey) async -> Resumption? {
    guard let transfer = state.withLock({ $0.isEmpty ? nil : $0.removeValue(forKey: key) }) else {
      return nil
    }
    return await transfer.rest.withLock(\.self)?.value ?? nil
  }
}
