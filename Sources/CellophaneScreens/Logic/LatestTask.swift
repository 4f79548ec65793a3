public import Cellophane

/// An async operation of which only the result of the latest run is delivered.
///
/// A new run cancels the previous one and drops its result, even if that result is already on its way: the
/// check happens at delivery, not at sending. A cancelled run delivers nothing.
///
/// Not `Sendable`: it belongs to the actor that created it, `MainActor` or any other. Operations start there,
/// and results are delivered there. Releasing it cancels the running operation. A run keeps its actor alive
/// until it ends, and nothing else.
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
  /// The number of the current run. It increases when a run starts, ends or is cancelled; a run with an older number is
  /// obsolete.
  private var number: UInt64 = 0
  private var task: Task<Void, Never>?

  /// Creates an idle instance. Tasks start on `timeline`.
  public init(timeline: Timeline = Timeline()) { self.timeline = timeline }

  deinit { task?.cancel() }

  /// True while an operation runs whose result will be delivered.
  public var isRunning: Bool { task != nil }

  /// Runs `operation`, and cancels the previous run.
  ///
  /// - Parameters:
  ///   - operation: Starts in the caller's isolation. It should end soon after a cancellation; its result is
  ///     then ignored.
  ///   - onResult: Called once with the result, in the caller's isolation, unless another run or ``cancel()``
  ///     comes first. An operation that stops without being cancelled delivers its error.
  public func run<Value, Failure: Error>(
    priority: TaskPriority? = nil, isolation: isolated any Actor = #isolation,
    _ operation: @escaping () async throws(Failure) -> Value,
    onResult: @escaping (Result<Value, Failure>) -> Void
  ) {
    run(priority: priority, isolation: isolation) { run in
      // Captured: Swift 6.3 runs the body of a closure outside of the actor if it captures nothing from it.
      _ = isolation
      let result: Result<Value, Failure>
      do throws(Failure) {
        result = .success(try await operation())
      } catch {
        result = .failure(error)
      }
      if run.end() { onResult(result) }
    }
  }

  /// Cancels the current run and drops its result.
  public func cancel() {
    number += 1
    task?.cancel()
    task = nil
  }

  /// Runs `operation`, which checks before each effect whether its run is current.
  func run(
    priority: TaskPriority? = nil, isolation: isolated any Actor,
    _ operation: @escaping (Run) async -> Void
  ) {
    cancel()
    let run = Run(self, number: number)
    task = timeline.spawn(priority: priority) {
      // Captured, so that the task stays in the owner's isolation.
      _ = isolation
      await operation(run)
      run.end()
    }
  }

  /// The state of one run.
  struct Run {
    private weak let owner: LatestTask?
    private let number: UInt64

    fileprivate init(_ owner: LatestTask, number: UInt64) {
      self.owner = owner
      self.number = number
    }

    /// True until the run ends, a newer run starts, or the owner is released.
    var isCurrent: Bool { owner?.number == number }

    /// Ends the run. Returns false if it has already ended or is obsolete.
    @discardableResult
    func end() -> Bool {
      guard let owner, owner.number == number else { return false }
      owner.number += 1
      owner.task = nil
      return true
    }
  }
}
