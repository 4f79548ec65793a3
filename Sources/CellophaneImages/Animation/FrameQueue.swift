/// The next frames of a playback, decoded before they are needed.
actor FrameQueue {
  private let animation: AnimatedImage
  /// The frames; nil until the first one is needed.
  private var frames: AnimationFrames?
  private var ready: [Result<AnimationFrame, LoadError>] = []
  private var isFilling = false
  private let timeline: Timeline
  /// Held as long as the frames; nil if only the first frame is shown, which needs no further ones.
  private let memory: AnimationPool.Reservation?

  /// The maximum number of decoded frames. 3: one frame that takes three times its delay does not delay the next ones.
  static let window = 3

  init(_ animation: AnimatedImage, _ memory: AnimationPool.Reservation?, _ timeline: Timeline) {
    (self.animation, self.memory, self.timeline) = (animation, memory, timeline)
  }

  /// Returns the next frame, and decodes further ones. An error is returned once, and its frame is then tried again.
  func next() -> Result<AnimationFrame, LoadError> {
    if ready.isEmpty { decode() }
    let frame = ready.removeFirst()
    if !isFilling, memory != nil {
      isFilling = true
      timeline.spawn { [weak self] in await self?.fill() }
    }
    return frame
  }

  private func decode() {
    var frames = self.frames ?? animation.makeFrames()
    // The canvas is changed in place.
    self.frames = nil
    let index = frames.index
    ready.append(
      Result { () throws(LoadError) in AnimationFrame(image: try frames.next(), index: index) })
    self.frames = frames
  }

  private func fill() async {
    // After an error, the next call decides.
    while ready.count < Self.window, (try? ready.last?.get()) != nil || ready.isEmpty {
      decode()
      // A call for a frame can run between two frames.
      await Task.yield()
    }
    isFilling = false
  }
}

/// A frame of an animation.
public struct AnimationFrame: Sendable {
  /// The complete picture: the canvas after the frame was drawn on it.
  public let image: Image
  /// The index of the frame, from 0.
  public let index: Int
}
