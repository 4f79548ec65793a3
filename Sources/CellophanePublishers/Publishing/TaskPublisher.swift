#if Publishers
  public import Cellophane
  #if canImport(Combine)
    public import Combine
  #else
    public import OpenCombine
  #endif

  /// A publisher of the values of a task. Each subscriber has a task, which begins with its first demand.
  ///
  /// Cancelling the subscription cancels the task. Values arrive one at a time, on an arbitrary thread. After a cancellation, at
  /// most one value that was already on its way arrives.
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

    /// Creates a publisher of the result of `operation`: one value, or an error.
    ///
    /// - Parameters:
    ///   - timeline: The timeline on which the tasks run.
    ///   - priority: The priority of the tasks.
    ///   - operation: The operation, which runs once for each subscriber.
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

    /// Subscribes `subscriber`. Its task begins with its first demand.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      TaskSubscription.subscribe(subscriber, timeline: timeline, priority: priority, produce: produce)
    }
  }
#endif
