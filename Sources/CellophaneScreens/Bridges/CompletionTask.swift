public import Cellophane
internal import Synchronization

/// An async operation that calls a completion handler exactly once.
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
/// Releasing the value does not cancel the operation.
public struct CompletionTask: Sendable {
  private let cancelRun: @Sendable () -> Void

  /// Runs `operation`, and calls `completion` with its result or with a `CancellationError`.
  ///
  /// - Parameters:
  ///   - timeline: The timeline that starts the tasks.
  ///   - operation: Runs in its own isolation, which is the caller's actor if there is one. It does not start
  ///     if it was cancelled before.
  ///   - completion: Runs in its own isolation, for example `{ @MainActor result in … }` on the main actor.
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

  /// Runs an operation that throws `Failure`. `cancelled` is the error for a cancelled operation.
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
      // A separate task, because a cancelled operation may take long to end.
      timeline.spawn(priority: priority) { await delivery.end(.cancelled, with: .failure(cancelled)) }
    }
  }

  /// Cancels the operation, from any thread. If the completion handler has not been called, it soon gets the
  /// cancellation error, in its own isolation, and nothing else. This holds even if the operation has just
  /// ended.
  public func cancel() { cancelRun() }
}

/// A completion handler that has not been called yet.
private final class Delivery<Value: Sendable, Failure: Error>: Sendable {
  typealias Completion = @isolated(any) @Sendable (Result<Value, Failure>) -> Void

  enum Stage {
    case running, cancelled, delivered
  }

  private struct State {
    var stage = Stage.running
    /// Nil after the call, so that an operation that takes long to end does not keep it alive.
    var completion: Completion?
  }

  private let state: Mutex<State>
  private let isolation: (any Actor)?

  init(to completion: @escaping Completion) {
    state = Mutex(State(completion: completion))
    isolation = completion.isolation
  }

  var isRunning: Bool { state.withLock { $0.stage == .running } }

  /// Returns true if the operation was running until now.
  func cancel() -> Bool {
    state.withLock { state in
      guard state.stage == .running else { return false }
      state.stage = .cancelled
      return true
    }
  }

  /// Calls the completion handler if the operation is in `stage`. The check runs in the handler's isolation,
  /// so that a caller that cancels there cannot receive a result that was already on its way.
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
