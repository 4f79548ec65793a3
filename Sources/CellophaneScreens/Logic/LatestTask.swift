public import Cellophane

/// Runs an async operation of which only the latest run counts.
///
/// A new run cancels the one before, and what that one gives is dropped, even when it is on its way already: a result is
/// checked where it is delivered, not where it was sent. Cancelling delivers nothing, so it changes nothing.
///
/// Not `Sendable`: it belongs to the actor that made it, `MainActor` or any other; operations begin there, and results
/// are delivered there. When it goes, what runs is cancelled. A run keeps the actor, in whose isolation it is, until it
/// has ended, and nothing else.
///
/// ```swift
/// latest.run {
///   try await archive.text(of: page)
/// } onResult: { [weak self] result in
///   self?.text = (try? result.get()) ?? "This page could not be loaded."
/// }
/// ```
public final class LatestTask {
  private let timeline: Timeline
  /// How many runs were begun or cancelled: a run whose number is another has been overtaken.
  private var number: UInt64 = 0
  private var task: Task<Void, Never>?

  /// Nothing runs yet. Tasks are started on `timeline`.
  public init(timeline: Timeline = Timeline()) { self.timeline = timeline }

  deinit { task?.cancel() }

  /// True while an operation runs whose result will be delivered.
  public var isRunning: Bool { task != nil }

  /// Runs `operation` in place of what runs.
  ///
  /// - Parameters:
  ///   - operation: Begins in the caller's isolation. It should end soon when it is cancelled; nobody waits for it.
  ///   - onResult: Called in the caller's isolation with what the operation gave, once, unless another run or
  ///     ``cancel()`` comes first. An operation that gives up by itself has failed: its error is delivered.
  public func run<Value, Failure: Error>(
    priority: TaskPriority? = nil, isolation: isolated any Actor = #isolation,
    _ operation: @escaping () async throws(Failure) -> Value,
    onResult: @escaping (Result<Value, Failure>) -> Void
  ) {
    run(priority: priority, isolation: isolation) { turn in
      // Captured: of a closure that has nothing of its actor, Swift 6.3 runs the body elsewhere.
      _ = isolation
      let result: Result<Value, Failure>
      do throws(Failure) {
        result = .success(try await operation())
      } catch {
        result = .failure(error)
      }
      if turn.end() { onResult(result) }
    }
  }

  /// Cancels what runs; its result is dropped.
  public func cancel() {
    number += 1
    task?.cancel()
    task = nil
  }

  /// Runs `operation`, which asks its turn before each thing that it does to others.
  func run(
    priority: TaskPriority? = nil, isolation: isolated any Actor,
    _ operation: @escaping (Turn) async -> Void
  ) {
    cancel()
    let turn = Turn(self, number: number)
    task = timeline.spawn(priority: priority) {
      // Captured, so that the task stays in the owner's isolation.
      _ = isolation
      await operation(turn)
      turn.end()
    }
  }

  /// The standing of one run.
  struct Turn {
    private weak let owner: LatestTask?
    private let number: UInt64

    fileprivate init(_ owner: LatestTask, number: UInt64) {
      self.owner = owner
      self.number = number
    }

    /// True until the run has ended or was overtaken, or its owner is gone.
    var isCurrent: Bool { owner?.number == number }

    /// Ends the run; false when that had happened.
    @discardableResult
    func end() -> Bool {
      guard let owner, owner.number == number else { return false }
      owner.number += 1
      owner.task = nil
      return true
    }
  }
}
