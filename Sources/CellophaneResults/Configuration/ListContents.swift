package import Cellophane

/// The contents of a generated list: the image of each row, its size, and the size of its file. A pure
/// function of the list and a seed.
package struct ListContents: Sendable {
  private let list: SimulationConfiguration.List
  private let draw: SeededDraw
  private let popularity: ZipfDistribution?

  /// Creates the contents of `list`, whose values have been checked.
  package init(_ list: SimulationConfiguration.List, seed: UInt64) {
    self.list = list
    draw = SeededDraw(seed: seed)
    popularity = list.repeated.map { ZipfDistribution(count: $0.pictures, exponent: $0.exponent) }
  }

  /// Returns the image of `row`: its own, or one of the repeated images. O(log of the number of repeated
  /// images).
  package func picture(of row: Int) -> Int {
    if let listed = list.listed { return listed.pictures[row] }
    return popularity.map { $0.rank(at: draw.bits("repeat", row)) } ?? row
  }

  /// Returns the different images of the first `rows`, in ascending order.
  package func pictures(of rows: Int) -> [Int] {
    popularity == nil && list.listed == nil ? Array(0..<rows) : Set((0..<rows).map(picture)).sorted()
  }

  /// Returns the height of `picture` relative to the nominal height.
  private func heightFactor(of picture: Int) -> Double {
    if let heights = list.heights, let row = list.listed?.row(of: picture) {
      return Double(max(1, heights[row] - list.rowHeight + list.picture.height)) / Double(list.picture.height)
    }
    guard let sigma = list.heightSigma else { return 1 }
    let factor = draw.lognormal(median: 1, sigma: sigma, "height", picture)
    return min(max(factor, Self.heightFactors.lowerBound), Self.heightFactors.upperBound)
  }

  /// The range of relative heights, from half to double. Feeds crop images beyond it (assumed).
  private static let heightFactors = 0.5...2.0

  /// Returns the height at which rows show `picture`, in px.
  func shownHeight(of picture: Int) -> Int {
    let height = (Double(list.picture.height) * heightFactor(of: picture)).rounded()
    return min(max(1, Int(height)), ListLayout.lengths.upperBound)
  }

  /// Returns the size of `picture`'s file, in pixels.
  package func imageSize(of picture: Int) -> PixelSize {
    guard list.heightSigma != nil || list.heights != nil else { return list.image }
    let height = (Double(list.image.height) * heightFactor(of: picture)).rounded()
    let sides = SimulationConfiguration.List.imageSides
    // A listed row can be as high as any screen. No file is higher.
    let highest = Double(ListLayout.lengths.upperBound)
    return PixelSize(
      width: list.image.width, height: Int(min(max(height, Double(sides.lowerBound)), highest)))
  }

  /// Returns true if `picture`'s file is a PNG, as is the case for half of the images. The others are JPEGs.
  package static func isPNG(_ picture: Int) -> Bool { picture.isMultiple(of: 2) }

  /// Returns true if `picture`'s file is a progressive JPEG.
  package func isProgressive(_ picture: Int) -> Bool {
    !Self.isPNG(picture) && !isAnimated(picture) && draw.chance(list.progressive, "progressive", picture)
  }

  /// Returns true if `picture` is an animation.
  package func isAnimated(_ picture: Int) -> Bool { draw.chance(list.animated, "animated", picture) }

  /// The length of an animated file relative to that of its first frame: 24 frames, of which each further one has a third
  /// of the first one's bytes (assumed).
  static let animationFactor = 1 + 23 / 3.0

  /// Returns the length of `picture`'s file in a model, in bytes.
  package func fileBytes(of picture: Int) -> Int {
    if let listed = list.listed, let row = listed.row(of: picture), let bytes = listed.bytes[row] {
      return bytes
    }
    let size = imageSize(of: picture)
    let pixels = Double(size.width * size.height)
    let bytes =
      switch list.bytes {
      case .lognormal(let bytes):
        draw.lognormal(median: bytes.median, sigma: bytes.sigma, "bytes", picture)
      case .perPixel(let bits): pixels / 8 * drawn(bits, of: picture)
      case .web(let format):
        pixels / 8 * drawn(format.bits(ofPixels: size.width * size.height), of: picture)
      case .generated:
        max(
          Self.minGenerated, Self.tables(picture) + pixels / 8 * drawn(Self.bits(picture), of: picture))
      }
    let frames = isAnimated(picture) ? Self.animationFactor : 1
    return Int(min(max((bytes * frames).rounded(.down), 1), Self.maxFile))
  }

  private func drawn(_ bits: Lognormal, of picture: Int) -> Double {
    draw.lognormal(median: bits.median, sigma: bits.sigma, "bits", picture)
  }

  /// The length of the longest file, in bytes. 16 MB: photographs of the largest cameras as JPEG.
  private static let maxFile = 16e6

  /// The bits per pixel of generated images without their tables, by format. Measured at 320x320 px: PNG 4.2
  /// to 5.3, JPEG of quality 80 2.45 to 2.49.
  static let pngBits = Lognormal(median: 4.95, sigma: 0.07)
  static let jpegBits = Lognormal(median: 2.48, sigma: 0.006)
  /// The length of the shortest generated file, in bytes: even the smallest image contains its row number.
  private static let minGenerated = 2_048.0

  private static func bits(_ picture: Int) -> Lognormal { isPNG(picture) ? pngBits : jpegBits }

  /// Returns the size of a file's other data, in bytes: the chunks of a PNG, the quantization and Huffman
  /// tables of a JPEG.
  private static func tables(_ picture: Int) -> Double { isPNG(picture) ? 57 : 625 }
}
