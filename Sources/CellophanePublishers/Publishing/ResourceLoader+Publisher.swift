#if Publishers
  public import Cellophane

  extension ResourceLoader {
    /// A publisher of what `request` gives. Each subscriber has a load of its own, as a caller of `load(_:)` has: it begins with
    /// the first demand, loads of the same key share their work, and cancelling the subscription cancels the load.
    public nonisolated func publisher(for request: Request<Decoder.Options>) -> TaskPublisher<
      Loaded<Value>, LoadError
    > {
      TaskPublisher(on: timeline, priority: request.priority.taskPriority) { () async throws(LoadError) in
        try await self.load(request)
      }
    }
  }
#endif
