#if Publishers
  public import Cellophane
  #if canImport(Combine)
    public import Combine
  #else
    public import OpenCombine
  #endif

  extension Publisher where Output: Sendable {
    /// Handles one value at a time, and requests the next value after `handle` returns.
    ///
    /// A publisher that cannot wait, such as a `PassthroughSubject`, drops values that arrive while `handle` runs. To receive
    /// every value, add a `buffer`, or yield to a `SerialHandler` from `sink`.
    ///
    /// - Parameters:
    ///   - timeline: The timeline on which the task runs.
    ///   - priority: The priority of the task.
    ///   - onCompletion: Called after the last value is handled, in the isolation of the closure. Not called after a
    ///     cancellation.
    ///   - handle: Handles a value in the isolation of the closure: the actor of the caller, if there is one.
    /// - Returns: A cancellable that cancels the subscription and the running handler when it is released.
    public func asyncSink(
      on timeline: Timeline, priority: TaskPriority? = nil,
      @_inheritActorContext onCompletion: @escaping @isolated(any) @Sendable (Result<Void, Failure>) -> Void =
        { _ in },
      @_inheritActorContext _ handle: @escaping @isolated(any) @Sendable (Output) async -> Void
    ) -> AnyCancellable {
      let source = ElementSource(self)
      let task = timeline.spawn(priority: priority) {
        let ending: Result<Void, Failure>
        do throws(Failure) {
          while let value = try await source.next() { await handle(value) }
          ending = .success(())
        } catch {
          ending = .failure(error)
        }
        if !Task.isCancelled { await onCompletion(ending) }
      }
      return AnyCancellable {
        task.cancel()
        source.cancel()
      }
    }
  }
#endif
