/// A width and a height in pixels.
public struct PixelSize: Hashable, Sendable {
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int

  /// Creates a size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// The way in which an image is fitted to a target size.
public enum ResizeMode: String, Hashable, Sendable, CaseIterable {
  /// Fits the complete image into the target and keeps its aspect ratio. One side may be shorter.
  case fit
  /// Fills the target and keeps the aspect ratio. The image is centered and cropped.
  case fill
  /// Fills the target and keeps the aspect ratio, without cropping. One side may be longer: for a square, the shorter
  /// side has the length of the target.
  case shortestSide = "shortest-side"
  /// Stretches the image to exactly the target size.
  case exact
}

/// The filter that computes the pixels of a resized image.
public enum ResizeFilter: String, Hashable, Sendable, CaseIterable {
  /// The mean of the area that a pixel covers. Enlarging uses linear interpolation.
  case area
  /// A Lanczos filter with three lobes: sharper edges at several times the cost.
  case lanczos3
}

/// The options for decoding an image; part of its key.
public struct ImageOptions: Hashable, Sendable {
  /// The target size in pixels after orientation is applied; nil keeps the size of the image. A smaller image
  /// is enlarged only if `enlarges` is true.
  public var targetSize: PixelSize?
  /// The way in which the image is fitted to `targetSize`.
  public var mode: ResizeMode
  /// The filter that computes the pixels of the new size.
  public var filter: ResizeFilter
  /// Whether an image smaller than `targetSize` is enlarged. By default it keeps its size.
  public var enlarges: Bool
  /// Whether the image is rotated and mirrored by its EXIF orientation.
  public var appliesOrientation: Bool
  /// Whether a file that is truncated or damaged within its pixels is accepted. The image then has the pixels
  /// decoded so far and sets ``Image/isPartial``.
  public var allowsPartial: Bool
  /// Whether pixels are decoded only to check the file. The image then has a size and no pixels, and its
  /// decoding needs the memory of a few rows, or of the coefficients of a progressive JPEG.
  package var discardsPixels = false
  /// The processors of the decoded image; nil for none. A class, so that options without processors stay small.
  package var processorChain: ProcessorChain?
  #if ColorManagement
    /// Whether colors are converted to sRGB if the file declares another color space; see ``ColorProfile``.
    /// CMYK colors are converted by their embedded profile; without a profile they are mixed as if this
    /// option were off. Requires the package trait `ColorManagement`.
    public var convertsToSRGB = false
  #endif

  /// Creates options; by default for the complete image with its orientation applied.
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

/// The processors of an image. This module knows images only by their requests, so it can compare the chain and not run it.
package final class ProcessorChain: Hashable, Sendable {
  /// The processors.
  package let processors: any Hashable & Sendable
  /// The number of processors.
  package let count: Int
  private let hash: Int

  /// Creates a chain of `processors`.
  package init(_ processors: [some Hashable & Sendable]) {
    self.processors = processors
    count = processors.count
    hash = AnyHashable(processors).hashValue
  }

  /// Compares the processors, unless both are one object.
  package static func == (a: ProcessorChain, b: ProcessorChain) -> Bool {
    a === b || a.hash == b.hash && AnyHashable(a.processors) == AnyHashable(b.processors)
  }

  /// Feeds the precomputed hash.
  package func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
