#if AVIF
  internal import CellophaneImages

  extension Orientation {
    /// The orientation after a number of quarter turns against the clock, followed by a mirroring: 0 exchanges top and
    /// bottom, 1 left and right, 2 nothing (ISO/IEC 23008-12, sections 6.5.10 and 6.5.12).
    private static let table: [[Orientation]] = [
      [.downMirrored, .leftMirrored, .upMirrored, .rightMirrored],
      [.upMirrored, .rightMirrored, .downMirrored, .leftMirrored],
      [.up, .left, .down, .right],
    ]

    /// Creates the orientation of quarter turns and a mirroring, as in ``table``.
    init(turns: UInt8, mirror: UInt8) { self = Self.table[Int(min(mirror, 2))][Int(turns & 3)] }

    /// The quarter turns and the mirroring of this orientation.
    var transforms: (turns: UInt8, mirror: UInt8) {
      // Mirrored orientations have two forms; the one that exchanges left and right is used.
      for mirror in [2, 1] {
        if let turns = Self.table[mirror].firstIndex(of: self) { return (UInt8(turns), UInt8(mirror)) }
      }
      return (0, 2)
    }
  }
#endif
