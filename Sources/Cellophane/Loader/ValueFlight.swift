internal import Synchronization

/// The shared work of one value: its progress, its newest preview, and the subscribers of previews.
final class ValueFlight<Value: Sendable>: FlightProgress {
  private struct State {
    var viewers: [Viewer<Value>] = []
    var newest: Value?
    var begin: (@Sendable () -> Void)?
    var source: SharedBody?
    var base: ValueFlight?
    var isKept = false
    var decodingTime: Duration?
    /// The progress at the end of the transfer.
    var lastProgress: LoadProgress?
  }

  private let state = Mutex(State())

  init() {}

  /// The details of the failed load of the bytes; nil if it has not failed.
  var failure: FailedFetch? {
    let (source, base) = state.withLock { ($0.source, $0.base) }
    return source?.failure ?? base?.failure
  }

  /// Sets the load of the bytes; nil after its success.
  func setSource(_ source: SharedBody?) {
    let last = source == nil ? progress : nil
    state.withLock { ($0.source, $0.lastProgress) = (source, last) }
  }

  /// Sets the flight of the value from which this one is derived.
  func setBase(_ base: ValueFlight) { state.withLock { $0.base = base } }

  /// The progress of the transfer, also after its end; nil before the response.
  var progress: LoadProgress? {
    let (source, base, last) = state.withLock { ($0.source, $0.base, $0.lastProgress) }
    return last ?? source?.progress ?? base?.progress
  }

  /// The time of the decoding and of all steps of derived values; nil without a decoding.
  var decodingTime: Duration? {
    let (own, base) = state.withLock { ($0.decodingTime, $0.base) }
    guard let inherited = base?.decodingTime else { return own }
    return (own ?? .zero) + inherited
  }

  /// Adds the time of a decoding or of a step.
  func noteDecoding(_ time: Duration) {
    state.withLock { $0.decodingTime = ($0.decodingTime ?? .zero) + time }
  }

  /// Records that a caller asked for this value itself, so that it is stored in memory.
  func keepsValue() { state.withLock { $0.isKept = true } }

  /// True when a caller asked for this value; false when it is only the base of others.
  var isKept: Bool { state.withLock(\.isKept) }

  /// True while there are subscribers.
  var areWanted: Bool { state.withLock { !$0.viewers.isEmpty } }

  /// Calls `begin` once, as soon as there is a subscriber; nil withdraws it.
  func whenWanted(_ begin: (@Sendable () -> Void)?) {
    let isWanted = state.withLock { state in
      state.begin = state.viewers.isEmpty ? begin : nil
      return !state.viewers.isEmpty
    }
    if isWanted { begin?() }
  }

  /// Sends a preview to all present and later subscribers.
  func publish(_ preview: Value) {
    let viewers = state.withLock { state in
      state.newest = preview
      return state.viewers
    }
    for viewer in viewers { viewer.show(preview) }
  }

  /// Adds a subscriber and sends it the newest preview.
  fileprivate func add(_ viewer: Viewer<Value>) {
    let (newest, begin) = state.withLock { state in
      state.viewers.append(viewer)
      return (state.newest, state.begin.take())
    }
    if let newest { viewer.show(newest) }
    begin?()
  }

  fileprivate func remove(_ viewer: Viewer<Value>) {
    state.withLock { $0.viewers.removeAll { $0 === viewer } }
  }
}

/// A caller that subscribes to the previews of its load.
final class Viewer<Value: Sendable>: Sendable {
  fileprivate let show: @Sendable (Value) -> Void
  private let previews = Mutex<ValueFlight<Value>?>(nil)

  init(_ show: @escaping @Sendable (Value) -> Void) { self.show = show }

  /// Subscribes to `previews`.
  func watch(_ previews: ValueFlight<Value>) {
    self.previews.withLock { $0 = previews }
    previews.add(self)
  }

  /// Unsubscribes.
  func leave() {
    previews.withLock { $0.take() }?.remove(self)
  }
}
