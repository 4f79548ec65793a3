/// How a stored picture has to be turned to be upright: the values of the EXIF tag of that name
/// (CIPA DC-008, section 4.6.4).
public enum Orientation: UInt8, Sendable, CaseIterable {
  /// As stored.
  case up = 1
  /// Mirrored left to right.
  case upMirrored
  /// Turned by 180 degrees.
  case down
  /// Mirrored top to bottom.
  case downMirrored
  /// Mirrored along the diagonal from the top left.
  case leftMirrored
  /// To be turned by 90 degrees clockwise.
  case right
  /// Mirrored along the diagonal from the top right.
  case rightMirrored
  /// To be turned by 90 degrees anticlockwise.
  case left

  /// True when width and height change places.
  public var swapsSides: Bool { rawValue >= Orientation.leftMirrored.rawValue }

  /// The size of a picture before and after turning.
  func turned(_ size: PixelSize) -> PixelSize {
    swapsSides ? PixelSize(width: size.height, height: size.width) : size
  }
}

extension Orientation {
  /// The orientation that a TIFF structure (the content of an EXIF block) states in its first directory.
  /// Anything missing or out of place means ``up``: a picture is worth more than its metadata.
  init(tiff: ByteView) {
    self = Self.stated(in: tiff) ?? .up
  }

  private static func stated(in tiff: ByteView) -> Orientation? {
    let bigEndian: Bool
    switch tiff.number16(at: 0) {
    case 0x4D4D: bigEndian = true
    case 0x4949: bigEndian = false
    default: return nil
    }
    guard tiff.number16(at: 2, bigEndian: bigEndian) == 42,
      let directory = tiff.number32(at: 4, bigEndian: bigEndian),
      let entries = tiff.number16(at: directory, bigEndian: bigEndian)
    else { return nil }
    for entry in 0..<entries {
      let offset = directory + 2 + entry * 12
      guard let tag = tiff.number16(at: offset, bigEndian: bigEndian) else { return nil }
      // One value of type 3, SHORT, stands at the start of the entry's value field. An entry that says anything else
      // is passed over, as browsers do.
      guard tag == 0x0112, tiff.number16(at: offset + 2, bigEndian: bigEndian) == 3,
        tiff.number32(at: offset + 4, bigEndian: bigEndian) == 1
      else { continue }
      guard let value = tiff.number16(at: offset + 8, bigEndian: bigEndian) else { return nil }
      return UInt8(exactly: value).flatMap(Orientation.init(rawValue:))
    }
    return nil
  }
}
