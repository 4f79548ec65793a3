internal import Synchronization

/// Counts what happens, and tells those who listen. One per byte loader, shared by what stands on it.
public final class EventHub: Sendable {
  private struct State {
    var counters = LoadCounters()
    var listeners: [(id: Int, stream: AsyncStream<LoadEvent>.Continuation)] = []
    var listenersSeen = 0
  }

  private let state = Mutex(State())
  private let timeline: Timeline

  init(timeline: Timeline) { self.timeline = timeline }

  /// The counters now.
  public var counters: LoadCounters { state.withLock { $0.counters } }

  /// Everything that happens from now on.
  ///
  /// - Parameter limit: How many events wait for a slow listener; then the oldest are dropped. 4 096 holds
  ///   about a second of a fast prefetch.
  public func events(limit: Int = 4096) -> AsyncStream<LoadEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: LoadEvent.self, bufferingPolicy: .bufferingNewest(limit))
    let id = state.withLock { state in
      state.listenersSeen += 1
      state.listeners.append((state.listenersSeen, continuation))
      return state.listenersSeen
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { state in state.listeners.removeAll { $0.id == id } }
    }
    return stream
  }

  func emit(_ kind: LoadEvent.Kind) {
    let listeners = state.withLock { state in
      state.counters.count(kind)
      // An array that is empty is copied without an allocation.
      return state.listeners
    }
    if listeners.isEmpty { return }
    let event = LoadEvent(time: timeline.now, kind: kind)
    for listener in listeners { listener.stream.yield(event) }
  }

  deinit {
    state.withLock { state in
      for listener in state.listeners { listener.stream.finish() }
    }
  }
}
