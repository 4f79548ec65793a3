#if Publishers
  public import Cellophane
  #if canImport(Combine)
    public import Combine
  #else
    public import OpenCombine
  #endif

  extension Publisher where Output: Sendable {
    /// Returns a publisher of the results of `transform`, in the order of the values. One operation runs at a time, and each
    /// value is requested only when a result is.
    ///
    /// Cancelling the subscription cancels the current operation.
    ///
    /// - Parameters:
    ///   - timeline: The timeline on which the task runs.
    ///   - priority: The priority of the task.
    ///   - transform: The operation for one value. Its error ends the publisher.
    public func asyncMap<Value: Sendable>(
      on timeline: Timeline, priority: TaskPriority? = nil,
      _ transform: @escaping @Sendable (Output) async throws(Failure) -> Value
    ) -> AsyncMapPublisher<Self, Value> {
      AsyncMapPublisher(upstream: self, timeline: timeline, priority: priority) { source, subscription in
        do throws(Failure) {
          while await subscription.hasDemand() {
            guard let value = try await source.next() else { break }
            subscription.send(try await transform(value))
          }
          return .success(())
        } catch {
          return .failure(error)
        }
      }
    }

    /// Returns a publisher of the results of `transform` for the latest value. A new value cancels the operation for the previous
    /// one and discards its result. A slow subscriber gets the latest result.
    ///
    /// After the first demand of the subscriber, values are requested as they arrive. Cancelling the subscription cancels the
    /// tasks.
    ///
    /// - Parameters:
    ///   - timeline: The timeline on which the tasks run.
    ///   - priority: The priority of the tasks.
    ///   - transform: The operation for one value. Its error ends the publisher.
    public func asyncMapLatest<Value: Sendable>(
      on timeline: Timeline, priority: TaskPriority? = nil,
      _ transform: @escaping @Sendable (Output) async throws(Failure) -> Value
    ) -> AsyncMapPublisher<Self, Value> {
      AsyncMapPublisher(upstream: self, timeline: timeline, priority: priority) { source, subscription in
        await Mapping(limit: nil, timeline: timeline, priority: priority, transform)
          .run(from: source, to: subscription)
      }
    }

    /// Returns a publisher of the results of `transform`, in the order of completion.
    ///
    /// A result without demand counts as a running operation, so a slow subscriber slows down the work and the upstream
    /// publisher. The first error cancels all operations, and so does cancelling the subscription.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of concurrent operations, at least 1.
    ///   - timeline: The timeline on which the tasks run.
    ///   - priority: The priority of the tasks.
    ///   - transform: The operation for one value.
    public func asyncMapUnordered<Value: Sendable>(
      limit: Int, on timeline: Timeline, priority: TaskPriority? = nil,
      _ transform: @escaping @Sendable (Output) async throws(Failure) -> Value
    ) -> AsyncMapPublisher<Self, Value> {
      AsyncMapPublisher(upstream: self, timeline: timeline, priority: priority) { source, subscription in
        await Mapping(limit: Swift.max(1, limit), timeline: timeline, priority: priority, transform)
          .run(from: source, to: subscription)
      }
    }
  }

  /// A publisher of the results of async operations for the values of another publisher.
  public struct AsyncMapPublisher<Upstream: Publisher, Output: Sendable>: Publisher
  where Upstream.Output: Sendable {
    /// The error of the upstream publisher.
    public typealias Failure = Upstream.Failure
    typealias Source = ElementSource<Upstream.Output, Failure>

    let upstream: Upstream
    let timeline: Timeline
    let priority: TaskPriority?
    let produce: @Sendable (Source, TaskSubscription<Output, Failure>) async -> Result<Void, Failure>

    /// Subscribes `subscriber`, and subscribes to the upstream publisher.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let source = Source(upstream)
      TaskSubscription.subscribe(subscriber, timeline: timeline, priority: priority) {
        [produce] subscription in
        await produce(source, subscription)
      }
    }
  }
#endif
