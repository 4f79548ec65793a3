internal import Synchronization

/// Transfers that were given up and are not yet over. Who asks for the same in that moment waits for what they leave,
/// rather than begin at the beginning because it is not on disk yet.
final class Departures: Sendable {
  /// One transfer that may be given up.
  final class Departure: Sendable {
    fileprivate let rest = OneShot<Resumption?>()
  }

  private let state = Mutex<[ResponseKey: Departure]>([:])

  /// How many transfers are being given up, and nobody has asked what they leave.
  var count: Int { state.withLock { $0.count } }

  /// The transfer for `key` is given up.
  func announce(_ departure: Departure, of key: ResponseKey) { state.withLock { $0[key] = departure } }

  /// The transfer is over, given up or not, and leaves `rest`.
  func end(_ departure: Departure, of key: ResponseKey, leaving rest: Resumption?) {
    state.withLock { if $0[key] === departure { $0[key] = nil } }
    departure.rest.settle(rest)
  }

  /// What a transfer leaves that is given up right now, for the first who asks; nil at once when there is none.
  func rest(of key: ResponseKey) async -> Resumption? {
    await state.withLock { $0.removeValue(forKey: key) }?.rest.value ?? nil
  }
}
