/// Draws the frames of an animation on its canvas, one after the other.
struct FrameComposer {
  private let layout: AnimationLayout
  private let codec: any FormatCodec
  private let decoder: ImageDecoder
  private let file: [UInt8]
  private let options: ImageOptions
  /// The canvas after the last frame.
  private(set) var canvas: [UInt8]
  /// The canvas before the last frame, if that is restored.
  private var saved: [UInt8]?
  /// The index of the next frame.
  private(set) var next = 0

  /// Creates a composer at the first frame.
  ///
  /// - Parameter options: The options of the frames: colors, and no size.
  init(
    _ file: [UInt8], _ layout: AnimationLayout, _ codec: any FormatCodec, _ decoder: ImageDecoder,
    _ options: ImageOptions
  ) {
    (self.file, self.layout, self.codec, self.decoder, self.options) = (file, layout, codec, decoder, options)
    canvas = Array(repeating: 0, count: layout.size.width * layout.size.height * 4)
  }

  /// Draws the next frame, and returns its color profile. After the last frame, begins again with an empty canvas.
  ///
  /// - Throws: The errors of ``ImageDecoder/decode(_:options:)``. The composer is then unchanged.
  mutating func advance() throws(LoadError) -> ColorProfile? {
    let index = next % layout.frames.count
    let frame = layout.frames[index]
    let image = try decoded(frame, index)
    if index == 0 {
      clear(Rectangle(of: layout.size))
      saved = nil
    } else {
      dispose(layout.frames[index - 1])
    }
    if frame.disposal == .restore { saved = canvas }
    if let image { draw(image, frame) }
    next = index + 1
    return image?.colorProfile
  }

  /// Decodes the pixels of a frame; nil without pixels on the canvas.
  private func decoded(_ frame: AnimationLayout.Frame, _ index: Int) throws(LoadError) -> Image? {
    guard frame.size.width > 0, frame.size.height > 0 else { return nil }
    let image = try decoder.decode(codec.still(frame, of: ByteView(file)), options: options)
    guard image.width == frame.size.width, image.height == frame.size.height else {
      throw LoadError(
        .corrupt, "the size of frame \(index + 1) of the \(codec.format.name) differs between its headers")
    }
    return image
  }

  /// A rectangle within the canvas.
  private struct Rectangle {
    let columns, rows: Range<Int>

    init(of size: PixelSize) { (columns, rows) = (0..<size.width, 0..<size.height) }

    /// The part of a frame on a canvas of `size`.
    init(_ frame: AnimationLayout.Frame, in size: PixelSize) {
      columns = min(frame.x, size.width)..<min(frame.x + frame.size.width, size.width)
      rows = min(frame.y, size.height)..<min(frame.y + frame.size.height, size.height)
    }
  }

  private mutating func dispose(_ frame: AnimationLayout.Frame) {
    switch frame.disposal {
    case .keep: break
    case .clear: clear(Rectangle(frame, in: layout.size))
    case .restore:
      if let saved { canvas = saved }
      saved = nil
    }
  }

  private mutating func clear(_ rectangle: Rectangle) {
    for row in rectangle.rows {
      let start = row * layout.size.width
      canvas.replaceSubrange(
        (start + rectangle.columns.lowerBound) * 4..<(start + rectangle.columns.upperBound) * 4,
        with: repeatElement(0, count: rectangle.columns.count * 4))
    }
  }

  private mutating func draw(_ image: Image, _ frame: AnimationLayout.Frame) {
    let rectangle = Rectangle(frame, in: layout.size)
    let width = layout.size.width
    let source = image.pixels.span
    var target = canvas.mutableSpan
    for row in rectangle.rows {
      var from = (row - frame.y) * image.width * 4
      for column in rectangle.columns {
        let to = (row * width + column) * 4
        let pixel = source.pixel(at: from)
        from += 4
        target.store(frame.blends ? pixel.over(target.span.pixel(at: to)) : pixel, at: to)
      }
    }
  }
}
