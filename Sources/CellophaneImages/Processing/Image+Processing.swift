extension Image {
  /// Returns the image changed by `processors`, one after the other.
  ///
  /// Pixels are copied only if another value shares them or a processor changes the size.
  ///
  /// - Throws: The error of the first processor that fails; ``LoadError/Kind/invalidRequest`` if a result has
  ///   another size than ``ImageProcessor/size(for:)`` returned.
  public consuming func processed(by processors: [ImageProcessing]) throws(LoadError) -> Image {
    guard pixels.count == PixelSize(width: width, height: height).byteCount else {
      throw LoadError(
        .invalidRequest,
        "the image was decoded without its pixels and cannot be processed; decode it with them")
    }
    var image = self
    for processor in processors {
      let planned = processor.size(for: PixelSize(width: image.width, height: image.height))
      image = try processor.process(consume image)
      guard image.width == planned.width, image.height == planned.height else {
        throw LoadError(
          .invalidRequest,
          "a processor announced \(planned.width)x\(planned.height) pixels but returned "
            + "\(image.width)x\(image.height); correct its size(for:)")
      }
    }
    return image
  }
}
