internal import Cellophane

/// The handler of one ``withCompletionHandler(_:)``. The first result counts. Later results, and results
/// after the caller was cancelled, are ignored. If the last copy is released without a result, the operation
/// fails as unanswered.
public struct CompletionHandler<Value: Sendable, Failure: Error>: Sendable {
  private let promise: Promise

  init(_ answer: OneShot<Result<Value, Failure>>, unanswered: Failure) {
    promise = Promise(answer: answer, unanswered: unanswered)
  }

  /// Completes with `result`, from any thread.
  public func callAsFunction(_ result: Result<Value, Failure>) { promise.answer.settle(result) }

  /// Completes with `value`, from any thread.
  public func callAsFunction(_ value: Value) { self(.success(value)) }

  /// Completes with `error` if it is not nil, otherwise with `value`. If both are nil, the operation is
  /// unanswered.
  public func callAsFunction(_ value: Value?, _ error: Failure?) {
    if let error { return self(.failure(error)) }
    self(value.map { .success($0) } ?? .failure(promise.unanswered))
  }

  /// Settles the result when the last copy of the handler is released.
  private final class Promise: Sendable {
    let answer: OneShot<Result<Value, Failure>>
    let unanswered: Failure

    init(answer: OneShot<Result<Value, Failure>>, unanswered: Failure) {
      self.answer = answer
      self.unanswered = unanswered
    }

    deinit { answer.settle(.failure(unanswered)) }
  }
}

/// The error of an operation that released its completion handler, or called it with neither a value nor an
/// error.
public struct UnansweredError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Creates the error.
  public init() {}

  /// A sentence that says what happened.
  public var description: String { "the operation ended without an answer" }
}
