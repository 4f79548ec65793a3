internal import Synchronization

/// The events of a byte loader and of the resource loaders that use it: counted, and sent to listeners.
public final class EventHub: Sendable {
  private struct State {
    var counters = LoadCounters()
    var listeners: [(id: Int, stream: AsyncStream<LoadEvent>.Continuation)] = []
    var listenersSeen = 0
  }

  private let state = Mutex(State())
  private let timeline: Timeline

  package init(timeline: Timeline) { self.timeline = timeline }

  /// The current counters.
  public var counters: LoadCounters { state.withLock { $0.counters } }

  /// Returns a stream of all events from now on.
  ///
  /// - Parameter limit: The number of events buffered for a slow listener. Beyond it the oldest events are
  ///   dropped. 4 096 events are about a second of a fast prefetch.
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

  package func emit(_ kind: LoadEvent.Kind, _ abandonment: Abandonment? = nil) {
    let listeners = state.withLock { state in
      state.counters.count(kind)
      // Copying an empty array allocates nothing.
      return state.listeners
    }
    if listeners.isEmpty { return }
    let event = LoadEvent(time: timeline.now, kind: kind, abandonment: abandonment)
    for listener in listeners { listener.stream.yield(event) }
  }

  deinit {
    state.withLock { state in
      for listener in state.listeners { listener.stream.finish() }
    }
  }
}
