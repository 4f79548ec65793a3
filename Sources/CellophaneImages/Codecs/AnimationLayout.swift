/// The frames of an animated file, as its headers declare them.
package struct AnimationLayout: Sendable, Equatable {
  /// What happens to the rectangle of a frame before the next frame is drawn.
  package enum Disposal: Sendable {
    /// The pixels stay.
    case keep
    /// The rectangle becomes transparent.
    case clear
    /// The canvas becomes what it was before the frame.
    case restore
  }

  /// A rectangle of pixels that is drawn on the canvas.
  package struct Frame: Sendable, Equatable {
    /// The left and the upper edge on the canvas, in pixels.
    package let x, y: Int
    /// The size of the rectangle; 0 if it is outside of the canvas.
    package let size: PixelSize
    /// The time until the next frame, as in the file.
    package let delay: Duration
    /// True if transparent pixels show the canvas; false if they replace it.
    package let blends: Bool
    package let disposal: Disposal
    /// The parts of the file that ``FormatCodec/still(_:of:)`` needs.
    package let parts: [Range<Int>]

    package init(
      x: Int, y: Int, size: PixelSize, delay: Duration, blends: Bool, disposal: Disposal, parts: [Range<Int>]
    ) {
      (self.x, self.y, self.size, self.delay) = (x, y, size, delay)
      (self.blends, self.disposal, self.parts) = (blends, disposal, parts)
    }
  }

  /// The size of the canvas.
  package let size: PixelSize
  /// The number of times that the frames are shown; nil for ever.
  package let plays: Int?
  package let frames: [Frame]

  /// The maximum number of frames. 65 536: an hour at 18 frames a second. A frame takes some bytes of a file, and 150 bytes of
  /// memory.
  package static let maxFrames = 1 << 16

  package init(size: PixelSize, plays: Int?, frames: [Frame]) {
    (self.size, self.plays, self.frames) = (size, plays, frames)
  }
}
