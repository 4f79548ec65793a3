internal import Synchronization

/// What can be shown of a value while it is loaded: the newest preview, and who wants to see it.
final class PreviewSubscribers<Value: Sendable>: FlightProgress {
  private struct State {
    var viewers: [Viewer<Value>] = []
    var newest: Value?
    var begin: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  init() {}

  /// True while somebody wants to see.
  var areWanted: Bool { state.withLock { !$0.viewers.isEmpty } }

  /// Calls `begin` once, as soon as somebody wants to see; nil takes that back.
  func whenWanted(_ begin: (@Sendable () -> Void)?) {
    let isWanted = state.withLock { state in
      state.begin = state.viewers.isEmpty ? begin : nil
      return !state.viewers.isEmpty
    }
    if isWanted { begin?() }
  }

  /// Shows a preview to all, and to those who come later.
  func publish(_ preview: Value) {
    let viewers = state.withLock { state in
      state.newest = preview
      return state.viewers
    }
    for viewer in viewers { viewer.show(preview) }
  }

  /// Adds one who wants to see, and gets the newest at once.
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

/// One caller who wants to see previews of what it loads.
final class Viewer<Value: Sendable>: Sendable {
  fileprivate let show: @Sendable (Value) -> Void
  private let previews = Mutex<PreviewSubscribers<Value>?>(nil)

  init(_ show: @escaping @Sendable (Value) -> Void) { self.show = show }

  /// Begins to look at the previews of a load.
  func watch(_ previews: PreviewSubscribers<Value>) {
    self.previews.withLock { $0 = previews }
    previews.add(self)
  }

  /// Looks no more.
  func leave() {
    previews.withLock { $0.take() }?.remove(self)
  }
}
