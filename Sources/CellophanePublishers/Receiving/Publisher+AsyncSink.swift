#if Publishers
  public import Cellophane
  #if canImport(Combine)
    public import Combine
  #else
    public import OpenCombine
  #endif

  extension Publisher where Output: Sendable {
    /// Handles one value at a time: asks for the next when the handler of the one before has returned.
    ///
    /// A publisher that cannot wait, such as a `PassthroughSubject`, drops what comes meanwhile. Where that must not be, take
    /// a `SerialHandler` in its place and yield to it from `sink`, or put a `buffer` before it.
    ///
    /// - Parameters:
    ///   - timeline: Where the task is started.
    ///   - onCompletion: Called in its own isolation once all was handled, unless it was cancelled.
    ///   - handle: Handles a value, in its own isolation: the caller's actor if it is on one.
    /// - Returns: Cancels the subscription, and the handler that runs, when it goes.
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
