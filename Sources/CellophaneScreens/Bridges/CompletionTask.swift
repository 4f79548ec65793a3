public import Cellophane
internal import Synchronization

/// An async operation that runs for a completion handler, which is called exactly once.
///
/// ```swift
/// func picture(
///   _ request: ImageRequest, from images: ImageLoader,
///   completion: @escaping @MainActor @Sendable (Result<Image, LoadError>) -> Void
/// ) -> CompletionTask {
///   CompletionTask(cancelled: LoadError.cancelled) { () async throws(LoadError) in
///     try await images.load(request).value
///   } completion: { @MainActor result in
///     completion(result)
///   }
/// }
/// ```
///
/// Letting go of it cancels nothing.
public struct CompletionTask: Sendable {
  private let cancelRun: @Sendable () -> Void

  /// Runs `operation`, and calls `completion` with what it gave, or with a `CancellationError`.
  ///
  /// - Parameters:
  ///   - timeline: Where the tasks are started.
  ///   - operation: In its own isolation: the caller's actor if it is on one. Not begun when it was cancelled before.
  ///   - completion: In its own isolation, too: `{ @MainActor result in … }` on the main actor.
  @discardableResult
  public init<Value: Sendable>(
    timeline: Timeline = Timeline(), priority: TaskPriority? = nil,
    @_inheritActorContext operation: @escaping @isolated(any) @Sendable () async throws -> Value,
    @_inheritActorContext completion:
      @escaping @isolated(any) @Sendable (Result<Value, any Error>) -> Void
  ) {
    self.init(
      cancelled: CancellationError(), timeline: timeline, priority: priority, operation: operation,
      completion: completion)
  }

  /// The same for an operation with errors of its own, of which `cancelled` says that it was cancelled.
  @discardableResult
  public init<Value: Sendable, Failure: Error>(
    cancelled: Failure, timeline: Timeline = Timeline(), priority: TaskPriority? = nil,
    @_inheritActorContext operation: @escaping @isolated(any) @Sendable () async throws(Failure) -> Value,
    @_inheritActorContext completion:
      @escaping @isolated(any) @Sendable (Result<Value, Failure>) -> Void
  ) {
    let delivery = Delivery(to: completion)
    let task = timeline.spawn(priority: priority) {
      guard delivery.isRunning else { return }
      let result: Result<Value, Failure>
      do throws(Failure) {
        result = .success(try await operation())
      } catch {
        result = .failure(error)
      }
      await delivery.end(.running, with: result)
    }
    cancelRun = {
      guard delivery.cancel() else { return }
      task.cancel()
      // Not by the task itself, which may take long to end.
      timeline.spawn(priority: priority) { await delivery.end(.cancelled, with: .failure(cancelled)) }
    }
  }

  /// Cancels the operation, from any thread. Unless the completion handler was called, it is told so, soon and in its own
  /// isolation, and of nothing else: also when the operation has just ended.
  public func cancel() { cancelRun() }
}

/// A completion handler, until it is called.
private final class Delivery<Value: Sendable, Failure: Error>: Sendable {
  typealias Completion = @isolated(any) @Sendable (Result<Value, Failure>) -> Void

  enum Stage {
    case running, cancelled, delivered
  }

  private struct State {
    var stage = Stage.running
    /// Nil once it was called: an operation that takes long to end must not keep it.
    var completion: Completion?
  }

  private let state: Mutex<State>
  private let isolation: (any Actor)?

  init(to completion: @escaping Completion) {
    state = Mutex(State(completion: completion))
    isolation = completion.isolation
  }

  var isRunning: Bool { state.withLock { $0.stage == .running } }

  /// True when it was running until now.
  func cancel() -> Bool {
    state.withLock { state in
      guard state.stage == .running else { return false }
      state.stage = .cancelled
      return true
    }
  }

  /// Calls the completion handler if the run has come to `stage`. Decided in the handler's isolation, so that nobody who
  /// cancels there is told of a result that was on its way.
  func end(_ stage: Stage, with result: Result<Value, Failure>) async {
    await end(stage, with: result, isolation: isolation)
  }

  private func end(
    _ stage: Stage, with result: Result<Value, Failure>, isolation: isolated (any Actor)?
  ) async {
    let completion = state.withLock { state -> Completion? in
      guard state.stage == stage else { return nil }
      state.stage = .delivered
      return state.completion.take()
    }
    await completion?(result)
  }
}
