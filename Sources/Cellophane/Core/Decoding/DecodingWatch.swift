/// Looks at cancellation and at the time that one decoding may take. Only time spent decoding counts, not the
/// time between the pieces of a file.
struct DecodingWatch {
  private let timeline: Timeline
  private let limit: Duration
  private var spent = Duration.zero
  private var start = Duration.zero

  init(_ timeline: Timeline, limit: Duration) {
    self.timeline = timeline
    self.limit = limit
    resume()
  }

  mutating func resume() {
    start = timeline.now
  }

  mutating func pause() {
    spent += timeline.now - start
  }

  /// - Throws: ``LoadError/cancelled`` when the task is cancelled, ``LoadError/Kind/timeout`` when the time is up.
  func look() throws(LoadError) {
    if Task.isCancelled { throw .cancelled }
    if spent + (timeline.now - start) > limit {
      throw LoadError(
        .timeout,
        "decoding the picture took more than \(limit); it may be made to take long, or the machine is busy")
    }
  }
}
