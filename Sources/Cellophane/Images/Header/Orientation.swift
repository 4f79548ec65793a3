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
    let stated = TIFFView(tiff).flatMap { view in
      view.firstDirectory.flatMap { view.short(0x0112, in: $0) }
    }
    self = stated.flatMap(UInt8.init(exactly:)).flatMap(Orientation.init(rawValue:)) ?? .up
  }
}
