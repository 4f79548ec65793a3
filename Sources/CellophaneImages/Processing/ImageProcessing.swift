/// A processor of any type, as an element of a chain: see ``Image/processed(by:)``.
///
/// Sizes and distances are in pixels. All processors of the package keep the color profile, the orientation,
/// ``Image/isPartial`` and the warnings of an image. They check for cancellation every few rows.
public struct ImageProcessing: ImageProcessor {
  private let processor: any ImageProcessor

  /// Creates an element of a chain from `processor`.
  public init(_ processor: some ImageProcessor) { self.processor = processor }

  /// Resizes an image like a decoding with the same options.
  ///
  /// A target size without pixels is an error, as is a result of more than 100 million pixels that is larger
  /// than the image. So are rows of many millions of pixels, for which resizing needs more memory than a decoding may.
  ///
  /// - Parameters:
  ///   - size: The target size.
  ///   - mode: The way in which the image is fitted to `size`.
  ///   - filter: The filter that computes the pixels of the new size.
  ///   - enlarges: Whether a smaller image is enlarged. By default it keeps its size.
  public static func resize(
    to size: PixelSize, mode: ResizeMode = .fit, filter: ResizeFilter = .area, enlarges: Bool = false
  ) -> ImageProcessing {
    ImageProcessing(ResizeProcessor(size: size, mode: mode, filter: filter, enlarges: enlarges))
  }

  /// Keeps the part of a box that is within the image.
  ///
  /// A box without pixels of the image is an error.
  ///
  /// - Parameters:
  ///   - x: The first column of the box.
  ///   - y: The first row of the box.
  ///   - width: The number of columns.
  ///   - height: The number of rows.
  public static func crop(x: Int, y: Int, width: Int, height: Int) -> ImageProcessing {
    ImageProcessing(CropProcessor(x: x, y: y, width: width, height: height))
  }

  /// Keeps the largest part around the center with the aspect ratio of `size`, for example 16x9.
  ///
  /// A ratio with a side that is not positive is an error.
  public static func crop(toAspectRatioOf size: PixelSize) -> ImageProcessing {
    ImageProcessing(AspectRatioProcessor(ratio: size))
  }

  /// Draws a border over the outermost pixels.
  ///
  /// - Parameters:
  ///   - width: The width of the border. Negative values count as 0; from half of the shorter side, the border
  ///     covers the image.
  ///   - color: The color, with its opacity.
  public static func border(width: Int, color: Image.Pixel) -> ImageProcessing {
    ImageProcessing(BorderProcessor(width: width, color: color))
  }

  /// Centers an image on a canvas, for example after a resize with ``ResizeMode/fit``. A side of the image that is longer
  /// than that of the canvas keeps its length.
  ///
  /// - Parameters:
  ///   - size: The size of the canvas.
  ///   - color: The color around the image. Pixels of the image that are transparent stay transparent.
  public static func pad(to size: PixelSize, color: Image.Pixel) -> ImageProcessing {
    ImageProcessing(PaddingProcessor(canvas: size, color: color))
  }

  /// Makes the corners transparent outside of a quarter of a circle. The edge is antialiased.
  ///
  /// - Parameter radius: The radius of the circle. Negative values count as 0, values above half of the shorter
  ///   side as that half. NaN is an error.
  public static func roundedCorners(radius: Double) -> ImageProcessing {
    ImageProcessing(RoundedCornersProcessor(radius: radius))
  }

  /// Keeps the largest circle around the center. The result is square; its edge is antialiased, and pixels outside
  /// of the circle are transparent.
  public static let circle = ImageProcessing(CircleProcessor())

  /// Blurs an image by three box filters, which approximate a Gaussian. The time does not depend on the radius.
  ///
  /// Each filter continues the image beyond its edges by the outermost pixels. Colors are weighted by alpha, so that
  /// colors of transparent pixels never show. Pixels that stay transparent become transparent black. An image with a
  /// side of more than 1 048 576 pixels is an error.
  ///
  /// - Parameter radius: The standard deviation of the Gaussian. Negative values count as 0, values above 16 384 as
  ///   16 384. NaN is an error.
  public static func blur(radius: Double) -> ImageProcessing {
    ImageProcessing(BlurProcessor(radius: radius))
  }

  /// Replaces each color by its luma, computed by Rec. 709 from the values as stored. Alpha is unchanged.
  public static let grayscale = ImageProcessing(GrayscaleProcessor())

  /// Blends a color over each color. Alpha is unchanged.
  ///
  /// - Parameter color: The color. Its alpha is the opacity of the tint.
  public static func tint(_ color: Image.Pixel) -> ImageProcessing {
    ImageProcessing(TintProcessor(color: color))
  }

  /// The type and the identifier of the processor; nil if its results are not stored on disk.
  public var identifier: String? {
    processor.identifier.map { "\(String(reflecting: type(of: processor))) \($0)" }
  }

  /// Returns the size of the result for an image of `size`.
  public func size(for size: PixelSize) -> PixelSize { processor.size(for: size) }

  /// Returns the changed image.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` for a parameter that is an error, ``LoadError/Kind/imageTooLarge``,
  ///   ``LoadError/cancelled``, or the error of a custom processor.
  public func process(_ image: consuming Image) throws(LoadError) -> Image {
    try processor.process(image)
  }

  /// Compares the types of the processors and their parameters.
  public static func == (a: Self, b: Self) -> Bool { AnyHashable(a.processor) == AnyHashable(b.processor) }

  /// Hashes the processor.
  public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(processor)) }
}
