internal import Cellophane

/// Answers one ``withCompletionHandler(_:)``. The first answer counts and every other is ignored, as is one that comes after
/// the caller was cancelled. When the last copy goes without an answer, that is told in its place.
public struct CompletionHandler<Value: Sendable, Failure: Error>: Sendable {
  private let promise: Promise

  init(_ answer: OneShot<Result<Value, Failure>>, unanswered: Failure) {
    promise = Promise(answer: answer, unanswered: unanswered)
  }

  /// Answers with `result`, from any thread.
  public func callAsFunction(_ result: Result<Value, Failure>) { promise.answer.settle(result) }

  /// Answers with `value`, from any thread.
  public func callAsFunction(_ value: Value) { self(.success(value)) }

  /// Answers with the one of both that is not nil, with `error` when both are; when neither is, it is unanswered.
  public func callAsFunction(_ value: Value?, _ error: Failure?) {
    if let error { return self(.failure(error)) }
    self(value.map { .success($0) } ?? .failure(promise.unanswered))
  }

  /// Notices when nobody can answer any more.
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

/// An operation let go of its completion handler, or called it with neither a value nor an error.
public struct UnansweredError: Error, Hashable, Sendable, CustomStringConvertible {
  /// An operation did not answer.
  public init() {}

  /// What happened.
  public var description: String { "the operation ended without an answer" }
}
