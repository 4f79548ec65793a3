#if Publishers
  public import Cellophane
  #if canImport(Combine)
    public import Combine
  #else
    public import OpenCombine
  #endif

  extension Publisher where Output: Sendable {
    /// What `transform` gives for each value, in their order, one after the other. A value is asked for when one of the results
    /// is, and never before.
    ///
    /// The task, on `timeline`, and with it the operation that runs, is cancelled with the subscription.
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

    /// What `transform` gives for the latest value: each that comes cancels the operation for the one before, whose result never
    /// lands. A slow subscriber gets the latest result.
    ///
    /// Values are asked for as they come, once the subscriber has asked for a result. The tasks, on `timeline`, are cancelled
    /// with the subscription.
    public func asyncMapLatest<Value: Sendable>(
      on timeline: Timeline, priority: TaskPriority? = nil,
      _ transform: @escaping @Sendable (Output) async throws(Failure) -> Value
    ) -> AsyncMapPublisher<Self, Value> {
      AsyncMapPublisher(upstream: self, timeline: timeline, priority: priority) { source, subscription in
        await Mapping(limit: nil, timeline: timeline, priority: priority, transform)
          .run(from: source, to: subscription)
      }
    }

    /// What `transform` gives for each value, as soon as it is there; at most `limit` run at once, and at least one.
    ///
    /// A result that was not asked for keeps the place of its operation, so a slow subscriber slows the work and the publisher
    /// down. The first error cancels what runs. The tasks, on `timeline`, are cancelled with the subscription.
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

  /// A publisher of what async operations make of another's values.
  public struct AsyncMapPublisher<Upstream: Publisher, Output: Sendable>: Publisher
  where Upstream.Output: Sendable {
    /// How it fails.
    public typealias Failure = Upstream.Failure
    typealias Source = ElementSource<Upstream.Output, Failure>

    let upstream: Upstream
    let timeline: Timeline
    let priority: TaskPriority?
    let produce: @Sendable (Source, TaskSubscription<Output, Failure>) async -> Result<Void, Failure>

    /// Subscribes `subscriber`, and its values to the publisher of what is mapped.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let source = Source(upstream)
      TaskSubscription.subscribe(subscriber, timeline: timeline, priority: priority) {
        [produce] subscription in
        await produce(source, subscription)
      }
    }
  }
#endif
