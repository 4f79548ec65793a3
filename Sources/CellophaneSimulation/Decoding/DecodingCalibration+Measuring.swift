package import Cellophane

extension DecodingCalibration {
  /// The default sizes of the images of each class: thumbnails, cards, full screens and photographs. The
  /// configuration's own size replaces that of its class.
  static let sizes = [192, 400, 800, 1_600].map { PixelSize(width: $0, height: $0) }
  /// The number of images per class and format. The costs of different contents vary by a few percent.
  private static let pictures = 3

  /// Measures the costs, which takes a few seconds.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` for a configuration that cannot be played;
  ///   ``LoadError/cancelled``.
  package init(
    for configuration: SimulationConfiguration, timeline: Timeline = Timeline()
  ) async throws(LoadError) {
    _ = try configuration.checkedLayout()
    // 15: with an odd number of rounds, the median is one of the 45 values. It is robust on a busy machine.
    try await self.init(for: configuration, sizes: Self.sizes, rounds: 15, timeline: timeline)
  }

  @concurrent
  init(
    for configuration: SimulationConfiguration, sizes: [PixelSize], rounds: Int, timeline: Timeline
  ) async throws(LoadError) {
    var sizes = sizes
    let own = configuration.list.image
    sizes[SimulationConfiguration.Decoding.sizeClass(of: own)] = own
    let options = ImageOptions(
      targetSize: configuration.list.picture.pixels(at: configuration.viewport.density))
    let decoder = ImageDecoder(timeline: timeline)
    var subjects: [(size: PixelSize, isPNG: Bool, file: [UInt8], times: [Duration])] = []
    for size in sizes {
      // Even rows are PNGs, odd ones JPEGs.
      for row in 0..<2 * Self.pictures {
        if Task.isCancelled { throw .cancelled }
        let file = try PictureFiles.encode(RowPicture(row: row, size: size, seed: configuration.seed))
        subjects.append((size, row.isMultiple(of: 2), file, []))
      }
    }
    // In rounds, so that other load of the machine affects all images equally. The first round is not
    // counted.
    for round in 0...rounds {
      for index in subjects.indices {
        let start = timeline.now
        _ = try decoder.decode(subjects[index].file, options: options)
        if round > 0 { subjects[index].times.append(timeline.now - start) }
      }
    }
    let costs = sizes.flatMap { size in
      [true, false].map { isPNG in
        let times = subjects.filter { $0.size == size && $0.isPNG == isPNG }.flatMap(\.times).sorted()
        let megapixels = Double(size.width * size.height) / 1_000_000
        return Cost(
          size: size, isPNG: isPNG,
          millisecondsPerMegapixel: times[times.count / 2].milliseconds / megapixels, decodings: times.count)
      }
    }
    self.init(costs: costs)
  }
}
