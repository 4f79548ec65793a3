extension ImageOptions {
  /// The processors that change the image after its decoding, one after the other. A decoding that is resized to
  /// ``targetSize`` comes first.
  ///
  /// Concurrent loads whose options are equal up to some processor share the work up to there, unless their loader keeps
  /// results on disk.
  public var processors: [ImageProcessing] {
    get { processorChain?.processors as? [ImageProcessing] ?? [] }
    set { processorChain = newValue.isEmpty ? nil : ProcessorChain(newValue) }
  }
}

extension Image {
  /// Returns the image changed by the processors of `options`. An image without pixels is unchanged.
  ///
  /// - Throws: The errors of ``processed(by:)``.
  consuming func processed(for options: ImageOptions) throws(LoadError) -> Image {
    guard options.processorChain != nil, !options.discardsPixels else { return self }
    return try processed(by: options.processors)
  }
}
