#if GIF
  internal import CellophaneCore
  internal import CellophaneImages

  /// Animations in GIF (GIF89a specification, section 23).
  extension GIFCodec {
    func animation(in file: ByteView) -> AnimationLayout? {
      guard let header = try? header(of: file), header.isAnimated else { return nil }
      // Without the extension of Netscape, the frames are shown once.
      var plays: Int? = 1
      var frames: [AnimationLayout.Frame] = []
      var control: GIFBlocks.Block?
      for block in GIFBlocks(file) {
        switch block.kind {
        case .extension(0xF9, _): control = block
        case .extension(0xFF, let name) where name.isNetscape:
          // Browsers repeat the frames as often as the extension says, after the first time; 0 is for ever.
          if let count = Self.repetitions(file, block) { plays = count == 0 ? nil : count + 1 }
        case .extension: break
        case .image:
          if let frame = Self.frame(file, header.size, block, control) { frames.append(frame) }
          control = nil
        }
        if frames.count == AnimationLayout.maxFrames { break }
      }
      return AnimationLayout(size: header.size, plays: plays, frames: frames)
    }

    /// Reads the descriptor of a frame and its graphic control. The part outside of the canvas is left out, as in browsers.
    private static func frame(
      _ file: ByteView, _ canvas: PixelSize, _ image: GIFBlocks.Block, _ control: GIFBlocks.Block?
    ) -> AnimationLayout.Frame? {
      let start = image.range.lowerBound
      let fields = [1, 3, 5, 7].compactMap { file.number16(at: start + $0, bigEndian: false) }
      guard fields.count == 4, fields[2] > 0, fields[3] > 0 else { return nil }
      // The label, the size of the block, the flags, and the delay in hundredths of a second.
      let flags = control.flatMap { file.byte(at: $0.range.lowerBound + 3) } ?? 0
      let delay = control.flatMap { file.number16(at: $0.range.lowerBound + 4, bigEndian: false) } ?? 0
      let disposal: AnimationLayout.Disposal =
        switch flags >> 2 & 7 {
        case 2: .clear
        // Some encoders wrote 4 instead of 3, and browsers accept it.
        case 3, 4: .restore
        default: .keep
        }
      return AnimationLayout.Frame(
        x: fields[0], y: fields[1],
        size: PixelSize(
          width: min(fields[2], max(0, canvas.width - fields[0])),
          height: min(fields[3], max(0, canvas.height - fields[1]))),
        delay: .milliseconds(delay * 10), blends: true, disposal: disposal,
        parts: [control?.range, image.range].compactMap(\.self))
    }

    /// Returns the number in the extension of Netscape; nil without it.
    private static func repetitions(_ file: ByteView, _ block: GIFBlocks.Block) -> Int? {
      // The introducer, the label, and a block of 11 bytes with its size precede the block of the number.
      let start = block.range.lowerBound + 14
      guard file.byte(at: start) == 3, file.byte(at: start + 1) == 1 else { return nil }
      return file.number16(at: start + 2, bigEndian: false)
    }

    /// Returns the screen with the size of the frame, the global palette, the control, and the frame at its corner. The reader
    /// leaves out what exceeds the screen.
    func still(_ frame: AnimationLayout.Frame, of file: ByteView) -> [UInt8] {
      guard var still = file.part(0..<GIFBlocks.start(in: file))?.copy else { return [] }
      func bytes(_ size: PixelSize) -> [UInt8] {
        [size.width, size.height].flatMap {
          [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
        }
      }
      still.replaceSubrange(6..<10, with: bytes(frame.size))
      for part in frame.parts {
        let start = still.count
        still += file.part(part.lowerBound..<min(part.upperBound, file.count))?.copy ?? []
        if still.count > start + 5, still[start] == 0x2C {
          still.replaceSubrange(start + 1..<start + 5, with: [0, 0, 0, 0])
        }
      }
      return still + [0x3B]
    }
  }

  extension ByteView {
    /// True for the name of the extension that repeats an animation.
    var isNetscape: Bool { starts(with: "NETSCAPE2.0".utf8) || starts(with: "ANIMEXTS1.0".utf8) }
  }
#endif
