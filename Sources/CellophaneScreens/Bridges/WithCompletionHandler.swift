internal import Cellophane

/// Runs an operation that reports its result through a completion handler, and returns that result.
///
/// ```swift
/// try await withCompletionHandler { completion in
///   let call = service.books(for: text) { books, error in completion(books, error) }
///   return { call.cancel() }
/// }
/// ```
///
/// The function returns exactly once:
/// - with the first result;
/// - with a `CancellationError`, as soon as the task is cancelled;
/// - with an ``UnansweredError``, if the operation releases the handler without a call.
///
/// - Parameter start: Starts the operation in the caller's isolation, and returns a closure that cancels it.
///   The closure is called once if the task is cancelled before there is a result, on any thread, even while
///   the operation starts. It must not keep the operation alive. `start` is not called if the task was
///   cancelled before.
public func withCompletionHandler<Value: Sendable>(
  _ start: (CompletionHandler<Value, any Error>) -> (@Sendable () -> Void)?
) async throws -> Value {
  try await withCompletionHandler(cancelled: CancellationError(), unanswered: UnansweredError(), start)
}

/// Runs an operation that fails with `Failure`. `cancelled` replaces `CancellationError`, and `unanswered`
/// replaces ``UnansweredError``.
public func withCompletionHandler<Value: Sendable, Failure: Error>(
  cancelled: Failure, unanswered: Failure,
  _ start: (CompletionHandler<Value, Failure>) -> (@Sendable () -> Void)?
) async throws(Failure) -> Value {
  if Task.isCancelled { throw cancelled }
  let answer = OneShot<Result<Value, Failure>>()
  // Not kept here: the handler must be released when the operation releases it.
  let cancel = start(CompletionHandler(answer, unanswered: unanswered))
  // If the task is already cancelled, `onCancel` runs at once.
  let result = await withTaskCancellationHandler {
    await answer.value
  } onCancel: {
    if answer.settle(.failure(cancelled)) { cancel?() }
  }
  return try result.get()
}
