internal import Synchronization

/// The course of one load, for ``LoadTask`` and ``Slot``.
final class LoadRecord<Value: Sendable>: Sendable {
  private struct State {
    var flight: ValueFlight<Value>?
    var progress = LoadProgress()
    var timings: LoadTimings?
    var result: Result<Loaded<Value>, LoadError>?
  }

  private let state = Mutex(State())
  private let timeline: Timeline
  private let start: Duration

  /// Begins the record of a load that starts now.
  init(_ timeline: Timeline) { (self.timeline, start) = (timeline, timeline.now) }

  /// Records the flight that the load joins.
  func join(_ flight: ValueFlight<Value>) { state.withLock { $0.flight = flight } }

  /// Records the end of the load.
  func end(with result: Result<Loaded<Value>, LoadError>) {
    let total = timeline.now - start
    state.withLock { state in
      state.result = result
      let flight = state.flight.take()
      if let progress = flight?.progress { state.progress = progress }
      guard case .success(let loaded) = result else { return }
      state.timings = LoadTimings(
        total: total, fetch: loaded.source == .memory ? nil : loaded.response?.metrics,
        decoding: flight?.decodingTime)
    }
  }

  /// The result; nil while the load runs.
  var result: Result<Loaded<Value>, LoadError>? { state.withLock(\.result) }

  /// The durations; nil without a value.
  var timings: LoadTimings? { state.withLock(\.timings) }

  /// The progress of the transfer from now on.
  var progress: LoadProgressUpdates {
    LoadProgressUpdates(timeline) { self.current }
  }

  /// The newest progress, and whether the load has ended.
  private var current: (LoadProgress, isLast: Bool) {
    state.withLock { state in
      if let progress = state.flight?.progress { state.progress = progress }
      return (state.progress, state.result != nil)
    }
  }
}

/// The progress of a transfer as an asynchronous sequence: the present one at once, and then at most ten changes a second.
/// The last one is that of the end of the load.
///
/// The sequence reads the progress when its loop asks for it. A load without observers has no cost.
public struct LoadProgressUpdates: AsyncSequence, Sendable {
  /// The time between two elements. 100 ms: a bar that moves ten times a second looks steady.
  private static let interval = Duration.milliseconds(100)

  private let timeline: Timeline
  private let current: @Sendable () -> (LoadProgress, isLast: Bool)?

  /// - Parameter current: Returns the newest progress, and whether the load has ended; nil without a load.
  init(_ timeline: Timeline, _ current: @escaping @Sendable () -> (LoadProgress, isLast: Bool)?) {
    (self.timeline, self.current) = (timeline, current)
  }

  /// Returns an iteration that begins with the present progress.
  public func makeAsyncIterator() -> Iterator { Iterator(updates: self) }

  /// An iteration over the changes of the progress.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let updates: LoadProgressUpdates
    private var last: LoadProgress?

    fileprivate init(updates: LoadProgressUpdates) { self.updates = updates }

    /// Waits for the next change; nil after the end of the load or the cancellation of the task.
    public mutating func next() async -> LoadProgress? { await next(isolation: #isolation) }

    /// Waits for the next change; nil after the end of the load or the cancellation of the task.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> LoadProgress? {
      while !hasEnded, let (progress, isLast) = updates.current() {
        hasEnded = isLast
        if progress != last, last == nil || hasWaited || isLast {
          (last, hasWaited) = (progress, false)
          return progress
        }
        if isLast { return nil }
        do { try await updates.timeline.sleep(for: LoadProgressUpdates.interval) } catch { return nil }
        hasWaited = true
      }
      return nil
    }

    /// True once the interval since the last element has passed.
    private var hasWaited = false
    /// True after the last progress.
    private var hasEnded = false
  }
}
