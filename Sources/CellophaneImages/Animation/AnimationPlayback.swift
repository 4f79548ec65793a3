/// The frames of an animation at their times, as an asynchronous sequence.
///
/// ```swift
/// for try await frame in AnimationPlayback(animation) { view.show(frame.image) }
/// ```
///
/// Each iteration plays from the first frame on. It ends after the number of plays in the file; the last frame then stays.
/// No frame is skipped: if decoding takes longer than the delays, the animation is slower. While the loop asks for no frame, the
/// animation is paused and keeps its memory. When the loop ends, the memory is free as soon as the frames of the queue are decoded.
public struct AnimationPlayback: AsyncSequence, Sendable {
  private let animation: AnimatedImage
  private let pool: AnimationPool
  private let timeline: Timeline
  private let reducesMotion: Bool

  /// Creates a playback.
  ///
  /// - Parameters:
  ///   - pool: The memory of the frames. If its free part is too small, only the first frame is shown.
  ///   - timeline: The clock, and the executor of the decoding.
  ///   - reducesMotion: Whether only the first frame is shown, as people may ask for in the settings of their system.
  public init(
    _ animation: AnimatedImage, pool: AnimationPool = .shared, timeline: Timeline = Timeline(),
    reducesMotion: Bool = false
  ) {
    (self.animation, self.pool, self.timeline) = (animation, pool, timeline)
    self.reducesMotion = reducesMotion
  }

  /// Returns an iteration that begins with the first frame.
  public func makeAsyncIterator() -> Iterator {
    let memory = reducesMotion ? nil : pool.reserve(animation.playbackBytes)
    return Iterator(animation, FrameQueue(animation, memory, timeline), timeline, isStill: memory == nil)
  }

  /// An iteration over the frames.
  public struct Iterator: AsyncIteratorProtocol {
    private let animation: AnimatedImage
    /// Nil after the last frame.
    private var queue: FrameQueue?
    /// True if only the first frame is shown.
    private let isStill: Bool
    private let timeline: Timeline
    /// The number of frames so far.
    private var shown = 0
    /// The time of the next frame; nil for the first one.
    private var due: Duration?

    fileprivate init(
      _ animation: AnimatedImage, _ queue: FrameQueue, _ timeline: Timeline, isStill: Bool
    ) {
      (self.animation, self.queue, self.timeline) = (animation, queue, timeline)
      self.isStill = isStill
    }

    /// Waits for the time of the next frame, and returns it; nil after the last one.
    ///
    /// - Throws: ``LoadError/cancelled``, or the errors of ``ImageDecoder/decode(_:options:)`` for this frame. After such an
    ///   error, the next call tries the frame again.
    public mutating func next() async throws(LoadError) -> AnimationFrame? {
      try await next(isolation: #isolation)
    }

    /// Waits for the time of the next frame, and returns it; nil after the last one.
    ///
    /// - Throws: The errors of ``next()``.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(LoadError) -> AnimationFrame? {
      guard let queue else { return nil }
      let frame = try await queue.next().get()
      if let due, due > timeline.now { try await timeline.pause(for: due - timeline.now) }
      // A timer that is late by less than a frame of a screen at 60 Hz does not delay all later frames.
      let delay = animation.delays[frame.index]
      let (now, planned) = (timeline.now, due ?? timeline.now)
      due = (now - planned < .milliseconds(17) ? planned : now) + delay
      shown += 1
      // The memory is released with the queue.
      let isLast = animation.playCount.map { shown >= $0 * animation.frameCount } ?? false
      if isStill || isLast { self.queue = nil }
      return frame
    }
  }
}

extension AnimatedImage {
  /// The memory of a playback, in bytes: the canvas, twice if a frame restores it, the frames of the queue and the one that
  /// is shown.
  var playbackBytes: Int {
    let canvases = layout.frames.contains { $0.disposal == .restore } ? 2 : 1
    let frame = options.processors.reduce(framing.displaySize) { $1.size(for: $0) }.byteCount ?? 0
    return canvases * size.width * size.height * 4 + (FrameQueue.window + 1) * frame
  }
}
