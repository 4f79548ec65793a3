#if WebP
  internal import CellophaneCore
  internal import CellophaneImages

  /// Animations in WebP (RFC 9649, section 2.7.1.1).
  extension WebPCodec {
    func animation(in file: ByteView) -> AnimationLayout? {
      guard let header = try? WebPHeader.read(file), header.isAnimated else { return nil }
      var plays = 0
      var frames: [AnimationLayout.Frame] = []
      for (name, content) in WebPChunks(file) {
        if name == .animation {
          plays = file.number16(at: content.lowerBound + 4, bigEndian: false) ?? 0
        } else if name == .frame, let frame = Self.frame(file, content) {
          frames.append(frame)
        }
        if frames.count == AnimationLayout.maxFrames { break }
      }
      // The orientation is not applied to animations.
      return AnimationLayout(size: header.size, plays: plays == 0 ? nil : plays, frames: frames)
    }

    /// Reads the head of an ANMF chunk: place in units of two pixels, size less one, duration in ms, flags.
    private static func frame(_ file: ByteView, _ content: Range<Int>) -> AnimationLayout.Frame? {
      let numbers = (0..<5).compactMap { WebPHeader.number24(file, content.lowerBound + $0 * 3) }
      guard content.count >= 16, numbers.count == 5, let flags = file.byte(at: content.lowerBound + 15) else {
        return nil
      }
      return AnimationLayout.Frame(
        x: numbers[0] * 2, y: numbers[1] * 2,
        size: PixelSize(width: numbers[2] + 1, height: numbers[3] + 1), delay: .milliseconds(numbers[4]),
        blends: flags & 2 == 0, disposal: flags & 1 == 1 ? .clear : .keep,
        parts: [content.lowerBound + 16..<content.upperBound])
    }

    /// Returns the chunks with the pixels of the frame, and the color profile of the file.
    func still(_ frame: AnimationLayout.Frame, of file: ByteView) -> [UInt8] {
      guard let part = frame.parts.first, let content = file.part(part)?.copy else { return [] }
      let profile = WebPChunks(file).first { $0.name == .profile }.flatMap { file.part($0.content)?.copy }
      return WebPContainer.file(
        pixels: WebPContainer.file(content), frame.size, hasAlpha: true, profile: profile, exif: nil)
    }
  }
#endif
