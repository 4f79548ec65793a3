internal import Cellophane

/// Runs an operation that answers by a completion handler, and returns its answer.
///
/// ```swift
/// try await withCompletionHandler { completion in
///   let call = service.books(for: text) { books, error in completion(books, error) }
///   return { call.cancel() }
/// }
/// ```
///
/// It returns once, and always: with the first answer; with a `CancellationError` at once when the task is cancelled, whatever
/// comes later; with an ``UnansweredError`` when the operation let go of the handler without a call.
///
/// - Parameter start: Begins the operation, in the caller's isolation, and returns what cancels it. That is called once when
///   the task is cancelled before there is an answer, even while the operation begins, on any thread; and never otherwise.
///   It must not be what keeps the operation alive. Not called at all when the task was cancelled before.
public func withCompletionHandler<Value: Sendable>(
  _ start: (CompletionHandler<Value, any Error>) -> (@Sendable () -> Void)?
) async throws -> Value {
  try await withCompletionHandler(cancelled: CancellationError(), unanswered: UnansweredError(), start)
}

/// The same for an operation with errors of its own: `cancelled` and `unanswered` are what says in them what
/// `CancellationError` and ``UnansweredError`` say otherwise.
public func withCompletionHandler<Value: Sendable, Failure: Error>(
  cancelled: Failure, unanswered: Failure,
  _ start: (CompletionHandler<Value, Failure>) -> (@Sendable () -> Void)?
) async throws(Failure) -> Value {
  if Task.isCancelled { throw cancelled }
  let answer = OneShot<Result<Value, Failure>>()
  // Not kept here: it has to go when the operation lets go of it.
  let cancel = start(CompletionHandler(answer, unanswered: unanswered))
  // Runs its handler at once when the task was cancelled meanwhile.
  let result = await withTaskCancellationHandler {
    await answer.value
  } onCancel: {
    if answer.settle(.failure(cancelled)) { cancel?() }
  }
  return try result.get()
}
