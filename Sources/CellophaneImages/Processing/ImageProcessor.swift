/// A change of decoded images, for example a blur.
///
/// Two processors that are equal must change every image in the same way. The rows are those of ``Image``, as
/// stored: an ``Image/orientation`` other than ``Orientation/up`` is not applied. A processor that keeps the size
/// changes the pixels in place:
///
/// ```swift
/// struct Inversion: ImageProcessor {
///   func process(_ image: consuming Image) throws(LoadError) -> Image {
///     image.withMutablePixels { pixels in
///       for index in pixels.indices where index % 4 != 3 { pixels[index] = 255 - pixels[index] }
///     }
///     return image
///   }
/// }
/// ```
///
/// A processor that changes the size also implements ``size(for:)`` and returns ``Image/replacing(pixels:size:)``.
public protocol ImageProcessor: Hashable, Sendable {
  /// Identifies the parameters of the processor among those of its type, in all processes, for results on disk. By default
  /// nil: results are not stored. A processor whose results change must change it.
  var identifier: String? { get }

  /// Returns the size of the result for an image of `size`, from which memory is planned. By default the same size.
  func size(for size: PixelSize) -> PixelSize

  /// Returns the changed image. A processor that takes long throws ``LoadError/cancelled`` if its task is cancelled.
  func process(_ image: consuming Image) throws(LoadError) -> Image
}

extension ImageProcessor {
  /// Nil: results are not stored on disk.
  public var identifier: String? { nil }

  /// Returns `size`.
  public func size(for size: PixelSize) -> PixelSize { size }
}
