extension ImageDecoder {
  /// Returns the last processor of `options` as a step; nil without processors.
  public func derivation(options: ImageOptions) -> Derivation<ImageOptions, Image>? {
    guard options.processorChain != nil, !options.discardsPixels else { return nil }
    var base = options
    let last = base.processors.removeLast()
    return Derivation(
      from: base, workingBytes: { last.workingBytes(for: PixelSize(width: $0.width, height: $0.height)) },
      derive: { image throws(LoadError) in try image.processed(by: [last]) })
  }

  /// Returns the peak memory of the processors of `options` for an image of `size`, in bytes.
  ///
  /// - Throws: ``LoadError/Kind/imageTooLarge`` if a processor enlarges the image beyond ``maximumPixels``.
  func processingBytes(_ options: ImageOptions, from size: PixelSize) throws(LoadError) -> Int {
    guard options.processorChain != nil, !options.discardsPixels else { return 0 }
    var (size, peak) = (size, 0)
    for processor in options.processors {
      let result = processor.size(for: size)
      if let area = result.area, area > maximumPixels, area > size.area ?? 0 {
        throw LoadError(
          .imageTooLarge,
          "the image would be enlarged to \(result.width)x\(result.height) pixels; "
            + "the limit is \(maximumPixels)", detail: .pixelLimit)
      }
      let (bytes, isTooLarge) = processor.workingBytes(for: size).addingReportingOverflow(size.byteCount ?? 0)
      peak = max(peak, isTooLarge ? .max : bytes)
      size = result
    }
    return peak
  }
}

extension ImageProcessing {
  /// Returns the memory of the result for an image of `size`, in bytes. Processors may change pixels in place, so that
  /// it is needed only if another value shares them.
  fileprivate func workingBytes(for size: PixelSize) -> Int { self.size(for: size).byteCount ?? 0 }
}
