/// Checks for cancellation and enforces the time limit of one decoding. Only time spent decoding counts, not
/// the time between the pieces of a file.
package struct DecodingWatch {
  private let timeline: Timeline
  private let limit: Duration
  private var spent = Duration.zero
  private var start = Duration.zero

  package init(_ timeline: Timeline, limit: Duration) {
    self.timeline = timeline
    self.limit = limit
    resume()
  }

  package mutating func resume() {
    start = timeline.now
  }

  package mutating func pause() {
    spent += timeline.now - start
  }

  /// Checks for cancellation and the time limit.
  ///
  /// - Throws: ``LoadError/cancelled`` if the task is cancelled, ``LoadError/Kind/timeout`` if the time limit
  ///   is exceeded.
  package func check() throws(LoadError) {
    if Task.isCancelled { throw .cancelled }
    if spent + (timeline.now - start) > limit {
      throw LoadError(
        .timeout,
        "decoding the image took more than \(limit); the file may be malicious or the machine is busy")
    }
  }
}
