#if Publishers
  public import Cellophane
  #if canImport(Combine)
    public import Combine
  #else
    public import OpenCombine
  #endif

  /// A publisher of what a task gives: one task for each subscriber, which begins with its first demand.
  ///
  /// Cancelling the subscription cancels the task. Values come on no particular thread, one at a time; after the
  /// cancellation, at most one that was on its way.
  public struct TaskPublisher<Output: Sendable, Failure: Error>: Publisher, Sendable {
    private let timeline: Timeline
    private let priority: TaskPriority?
    private let produce: TaskSubscription<Output, Failure>.Produce

    init(
      on timeline: Timeline, priority: TaskPriority? = nil,
      produce: @escaping TaskSubscription<Output, Failure>.Produce
    ) {
      self.timeline = timeline
      self.priority = priority
      self.produce = produce
    }

    /// A publisher of the one value that `operation` gives, or its error.
    ///
    /// - Parameter timeline: Where the tasks are started.
    public init(
      on timeline: Timeline, priority: TaskPriority? = nil,
      _ operation: @escaping @Sendable () async throws(Failure) -> Output
    ) {
      self.init(on: timeline, priority: priority) { subscription in
        do throws(Failure) {
          subscription.send(try await operation())
          return .success(())
        } catch {
          return .failure(error)
        }
      }
    }

    /// Subscribes `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      TaskSubscription.subscribe(subscriber, timeline: timeline, priority: priority, produce: produce)
    }
  }
#endif
