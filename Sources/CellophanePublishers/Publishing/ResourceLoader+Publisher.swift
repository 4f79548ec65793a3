#if Publishers
  public import Cellophane

  extension ResourceLoader {
    /// Returns a publisher of one load of `request`. Each subscriber is a separate caller of `load(_:)`: its load begins with the
    /// first demand, loads with the same key share their work, and cancelling the subscription cancels the load.
    public nonisolated func publisher(for request: Request<Decoder.Options>) -> TaskPublisher<
      Loaded<Decoder.Value>, LoadError
    > {
      TaskPublisher(on: timeline, priority: request.priority.taskPriority) { () async throws(LoadError) in
        try await self.load(request)
      }
    }
  }
#endif
