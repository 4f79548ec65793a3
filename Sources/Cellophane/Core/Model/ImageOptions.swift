/// A width and a height in pixels.
public struct PixelSize: Hashable, Sendable {
  /// Pixels from left to right.
  public var width: Int
  /// Pixels from top to bottom.
  public var height: Int

  /// A size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// How a picture is fitted to a target size.
public enum ResizeMode: String, Hashable, Sendable, CaseIterable {
  /// The whole picture within the target, keeping its shape: one side may be shorter.
  case fit
  /// The target filled, keeping the picture's shape: the middle is kept, the rest cut off.
  case fill
  /// The target exactly, changing the picture's shape.
  case exact
}

/// How the pixels of a picture of another size are made.
public enum ResizeFilter: String, Hashable, Sendable, CaseIterable {
  /// The mean of the area that a pixel covers. Where a picture is enlarged, linear interpolation.
  case area
  /// A Lanczos window of three lobes: sharper edges, at several times the cost.
  case lanczos3
}

/// How an image is decoded; part of its key.
public struct ImageOptions: Hashable, Sendable {
  /// The size wanted, in pixels as displayed (after orientation); nil keeps the picture's own.
  /// A picture that is smaller is enlarged only with `enlarges`.
  public var targetSize: PixelSize?
  /// How the picture is fitted to `targetSize`.
  public var mode: ResizeMode
  /// How the pixels of the new size are made.
  public var filter: ResizeFilter
  /// Enlarges what is smaller than `targetSize`; otherwise it keeps its size.
  public var enlarges: Bool
  /// Turns and mirrors the picture as its EXIF orientation says.
  public var appliesOrientation: Bool
  /// Accepts a file that ends early or is damaged within its pixels: the picture then has what there is, and says
  /// so (``Image/isPartial``).
  public var allowsPartial: Bool
  #if ColorManagement
    /// Converts colours to sRGB when the file says that they are something else; see ``ColorProfile``. Inks
    /// are converted by their profile; without one they are mixed as without this. Only with the package
    /// trait `ColorManagement`.
    public var convertsToSRGB = false
  #endif

  /// Options; by default the whole picture, upright.
  public init(
    targetSize: PixelSize? = nil, mode: ResizeMode = .fit, filter: ResizeFilter = .area,
    enlarges: Bool = false, appliesOrientation: Bool = true, allowsPartial: Bool = false
  ) {
    self.targetSize = targetSize
    self.mode = mode
    self.filter = filter
    self.enlarges = enlarges
    self.appliesOrientation = appliesOrientation
    self.allowsPartial = allowsPartial
  }
}

/// A request for an image.
public typealias ImageRequest = Request<ImageOptions>

extension Request where Options == ImageOptions {
  /// A request for the image at `url`, decoded to `size`, or to its own size without one.
  public init(
    _ url: String, size: PixelSize? = nil, mode: ResizeMode = .fit, priority: Priority = .normal
  ) throws(LoadError) {
    try self.init(url, options: ImageOptions(targetSize: size, mode: mode), priority: priority)
  }
}
