/// Animations in PNG (Portable Network Graphics, third edition, section 11.3.5).
extension PNGCodec {
  func animation(in file: ByteView) -> AnimationLayout? {
    guard let (count, plays) = PNGHeader.animation(in: file), let width = file.number32(at: 16),
      let height = file.number32(at: 20)
    else { return nil }
    var frames: [AnimationLayout.Frame] = []
    var control: Range<Int>?
    var data: [Range<Int>] = []
    func addFrame() {
      guard let control, !data.isEmpty, frames.count < min(count, AnimationLayout.maxFrames),
        let frame = Self.frame(file, control, data)
      else { return }
      frames.append(frame)
    }
    for (name, content) in PNGChunks(file) {
      switch name {
      case .frameControl:
        addFrame()
        (control, data) = (content, [])
      // Without a control before it, the image of IDAT is no frame.
      case .data where control != nil: data.append(content)
      case .frameData: data.append(content)
      default: break
      }
      if name == .end { break }
    }
    addFrame()
    return AnimationLayout(
      size: PixelSize(width: width, height: height), plays: plays == 0 ? nil : plays, frames: frames)
  }

  /// Reads an fcTL chunk; nil if it is too short or its size is invalid.
  private static func frame(
    _ file: ByteView, _ control: Range<Int>, _ data: [Range<Int>]
  ) -> AnimationLayout.Frame? {
    let numbers = (1...4).compactMap { file.number32(at: control.lowerBound + $0 * 4) }
    guard control.count >= 26, numbers.count == 4, numbers[0] > 0, numbers[1] > 0,
      let numerator = file.number16(at: control.lowerBound + 20),
      let denominator = file.number16(at: control.lowerBound + 22),
      let disposal = file.byte(at: control.lowerBound + 24),
      let blend = file.byte(at: control.lowerBound + 25)
    else { return nil }
    // 0 means hundredths of a second.
    let delay = Duration.nanoseconds(numerator * 1_000_000_000 / (denominator == 0 ? 100 : denominator))
    return AnimationLayout.Frame(
      x: numbers[2], y: numbers[3], size: PixelSize(width: numbers[0], height: numbers[1]), delay: delay,
      blends: blend == 1, disposal: disposal == 1 ? .clear : disposal == 2 ? .restore : .keep, parts: data)
  }

  /// Returns the chunks before the pixels that affect their display, with the size of the frame, and the pixels as IDAT.
  func still(_ frame: AnimationLayout.Frame, of file: ByteView) -> [UInt8] {
    var still = PNGHeader.signature
    for (name, content) in PNGChunks(file) {
      if name == .data || name == .frameData { break }
      if name == .header {
        // A second header is no header of the image.
        guard still.count == PNGHeader.signature.count, content.count == 13,
          let header = file.intactChunk(content)?.copy
        else { continue }
        still += PNGChunks.chunk(
          "IHDR", PNGChunks.bytes(frame.size.width) + PNGChunks.bytes(frame.size.height) + header[8...])
      } else if name != .animationControl, name != .frameControl, Self.affectsDisplay(file, content) {
        still += file.part(content.lowerBound - 8..<content.upperBound + 4)?.copy ?? []
      }
    }
    for content in frame.parts {
      let isData = file.holds("IDAT".utf8, at: content.lowerBound - 4)
      // Damage must not become valid by a new checksum.
      guard let pixels = file.intactChunk(content)?.copy else { break }
      still += PNGChunks.chunk("IDAT", isData ? pixels : Array(pixels.dropFirst(4)))
    }
    return still + PNGChunks.chunk("IEND", [])
  }
}
