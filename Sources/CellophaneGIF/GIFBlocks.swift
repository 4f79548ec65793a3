#if GIF
  internal import CellophaneCore
  internal import CellophaneImages

  /// The blocks of a GIF in file order (GIF89a specification, sections 18 to 27). The iteration does not validate them.
  struct GIFBlocks: Sequence, IteratorProtocol {
    struct Block {
      enum Kind {
        /// A frame. `corner` is the canvas that it needs: its place and its size together.
        case image(corner: PixelSize)
        /// An extension with its label and its first block of data.
        case `extension`(label: UInt8, content: ByteView)
      }

      let kind: Kind
      /// The bytes of the block. In a truncated file the range may exceed the file.
      let range: Range<Int>
    }

    private let file: ByteView
    private var offset: Int

    /// Creates an iterator over the blocks after the screen descriptor and the global palette.
    init(_ file: ByteView) {
      self.file = file
      offset = Self.start(in: file)
    }

    /// The offset of the first block.
    static func start(in file: ByteView) -> Int { 13 + paletteBytes(file.byte(at: 10) ?? 0) }

    /// Returns the bytes of the palette after a descriptor with these flags.
    private static func paletteBytes(_ flags: UInt8) -> Int {
      flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
    }

    /// Returns the next image or extension; nil at the end of the file and at another block.
    mutating func next() -> Block? {
      switch file.byte(at: offset) {
      case 0x2C: return image()
      case 0x21: return block()
      default: return nil
      }
    }

    private mutating func image() -> Block? {
      let fields = [1, 3, 5, 7].compactMap { file.number16(at: offset + $0, bigEndian: false) }
      guard fields.count == 4, let flags = file.byte(at: offset + 9) else { return nil }
      // The palette, the code size, and the data.
      let start = offset
      offset += 10 + Self.paletteBytes(flags) + 1
      skipData()
      let corner = PixelSize(width: fields[0] + fields[2], height: fields[1] + fields[3])
      return Block(kind: .image(corner: corner), range: start..<offset)
    }

    private mutating func block() -> Block? {
      guard let label = file.byte(at: offset + 1), let length = file.byte(at: offset + 2),
        let content = file.part(from: offset + 3, length: Int(length))
      else { return nil }
      let start = offset
      offset += 2
      skipData()
      return Block(kind: .extension(label: label, content: content), range: start..<offset)
    }

    /// Skips blocks of data, up to the block without data. At the end of the file, there is no further block.
    private mutating func skipData() {
      while let length = file.byte(at: offset) {
        offset += 1 + Int(length)
        if length == 0 { return }
      }
    }
  }
#endif
