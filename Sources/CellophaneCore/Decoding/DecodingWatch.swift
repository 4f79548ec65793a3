#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Checks for cancellation and enforces the time limit of one decoding. Only time spent decoding counts, not
/// the time between the pieces of a file.
///
/// Between ``resume()`` and ``pause()``, a watch is used on one thread.
package struct DecodingWatch {
  /// The clock; nil for the processor time of the thread.
  private let timeline: Timeline?
  private let limit: Duration
  private var spent = Spans()
  private var start = Spans()

  /// Two measures of one span.
  private struct Spans {
    /// The time that counts.
    var counted = Duration.zero
    /// The time that passed in the world.
    var elapsed = Duration.zero
  }

  /// Creates a running watch.
  ///
  /// - Parameter timeline: The clock that counts. Nil counts the processor time of the thread, which a busy
  ///   machine or a stopped process does not use up.
  package init(_ timeline: Timeline? = nil, limit: Duration) {
    self.timeline = timeline
    self.limit = limit
    resume()
  }

  package mutating func resume() {
    start = now
  }

  package mutating func pause() {
    let now = now
    spent.counted += now.counted - start.counted
    spent.elapsed += now.elapsed - start.elapsed
  }

  /// Checks for cancellation and the time limit.
  ///
  /// - Throws: ``LoadError/cancelled`` if the task is cancelled, ``LoadError/Kind/timeout`` if the time limit
  ///   is exceeded. The error is retryable if the machine was busy: processors that share caches and memory
  ///   with other work are slower.
  package func check() throws(LoadError) {
    if Task.isCancelled { throw .cancelled }
    guard spent.counted + (counted - start.counted) > limit else { return }
    let isBusy = timeline == nil && spent.elapsed + (now.elapsed - start.elapsed) > limit * 2
    throw LoadError(
      .timeout,
      "decoding the image took more than \(limit); "
        + (isBusy ? "the machine is busy" : "the file may be malicious or the machine is slow"),
      isRetryable: isBusy)
  }

  private var counted: Duration { timeline?.now ?? Self.time(of: CLOCK_THREAD_CPUTIME_ID) }

  private var now: Spans {
    Spans(counted: counted, elapsed: timeline?.now ?? Self.time(of: CLOCK_MONOTONIC))
  }

  private static func time(of clock: clockid_t) -> Duration {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
