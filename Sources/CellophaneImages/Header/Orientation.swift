/// The rotation and mirroring that make a stored image upright: the values of the EXIF tag Orientation
/// (CIPA DC-008, section 4.6.4).
public enum Orientation: UInt8, Sendable, CaseIterable {
  /// No change.
  case up = 1
  /// Mirrored from left to right.
  case upMirrored
  /// Rotated by 180 degrees.
  case down
  /// Mirrored from top to bottom.
  case downMirrored
  /// Mirrored along the diagonal from the top left.
  case leftMirrored
  /// Rotated by 90 degrees clockwise.
  case right
  /// Mirrored along the diagonal from the top right.
  case rightMirrored
  /// Rotated by 90 degrees counterclockwise.
  case left

  /// True if the orientation exchanges width and height.
  public var swapsSides: Bool { rawValue >= Orientation.leftMirrored.rawValue }

  /// Returns the size of an image of `size` after its orientation is applied.
  ///
  /// The conversion is its own inverse, so it also converts a displayed size to the stored one.
  func applied(to size: PixelSize) -> PixelSize {
    swapsSides ? PixelSize(width: size.height, height: size.width) : size
  }
}

extension ImageHeader {
  /// Returns the orientation that pixels decoded with `options` still need.
  func remainingOrientation(_ options: ImageOptions) -> Orientation {
    options.appliesOrientation ? .up : orientation
  }
}

extension Orientation {
  /// Reads the orientation from the first directory of a TIFF structure, the content of an EXIF segment.
  ///
  /// A missing or invalid value results in ``up``, because an image must not be rejected for its metadata.
  package init(tiff: ByteView) {
    let value = TIFFView(tiff).flatMap { view in
      view.firstDirectory.flatMap { view.short(0x0112, in: $0) }
    }
    self = value.flatMap(UInt8.init(exactly:)).flatMap(Orientation.init(rawValue:)) ?? .up
  }
}
