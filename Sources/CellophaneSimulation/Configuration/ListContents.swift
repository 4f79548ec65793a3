internal import Cellophane

/// What the rows of a generated list show: which picture, and how large it and its file are. A pure function of the
/// list and a seed.
struct ListContents: Sendable {
  private let list: SimulationConfiguration.List
  private let draw: SeededDraw
  private let popularity: ZipfDistribution?

  /// The contents of `list`, whose numbers have been checked.
  init(_ list: SimulationConfiguration.List, seed: UInt64) {
    self.list = list
    draw = SeededDraw(seed: seed)
    popularity = list.repeated.map { ZipfDistribution(count: $0.pictures, exponent: $0.exponent) }
  }

  /// The picture that `row` shows: its own, or one of those that repeat. O(log of the number of those).
  func picture(of row: Int) -> Int {
    if let listed = list.listed { return listed.pictures[row] }
    return popularity.map { $0.rank(at: draw.bits("repeat", row)) } ?? row
  }

  /// The different pictures of the first `rows`, in ascending order.
  func pictures(of rows: Int) -> [Int] {
    popularity == nil && list.listed == nil ? Array(0..<rows) : Set((0..<rows).map(picture)).sorted()
  }

  /// How much higher or lower than the others `picture` is; 1 where all are equally high.
  private func stretch(of picture: Int) -> Double {
    if let heights = list.heights, let row = list.listed?.row(of: picture) {
      return Double(max(1, heights[row] - list.rowHeight + list.picture.height)) / Double(list.picture.height)
    }
    guard let sigma = list.heightSigma else { return 1 }
    let factor = draw.lognormal(median: 1, sigma: sigma, "height", picture)
    return min(max(factor, Self.stretches.lowerBound), Self.stretches.upperBound)
  }

  /// How far heights may differ. From half to double: beyond, feeds cut pictures (assumed).
  private static let stretches = 0.5...2.0

  /// The height at which the rows of `picture` show it, in px.
  func shownHeight(of picture: Int) -> Int {
    let height = (Double(list.picture.height) * stretch(of: picture)).rounded()
    return min(max(1, Int(height)), ListLayout.lengths.upperBound)
  }

  /// The size of `picture`'s file, in px.
  func imageSize(of picture: Int) -> PixelSize {
    guard list.heightSigma != nil || list.heights != nil else { return list.image }
    let height = (Double(list.image.height) * stretch(of: picture)).rounded()
    let sides = SimulationConfiguration.List.imageSides
    // Listed rows can be as high as any screen; beyond, no file is of one piece.
    let highest = Double(ListLayout.lengths.upperBound)
    return PixelSize(
      width: list.image.width, height: Int(min(max(height, Double(sides.lowerBound)), highest)))
  }

  /// The format of `picture`'s file: PNG or JPEG, half of each.
  static func isPNG(_ picture: Int) -> Bool { picture.isMultiple(of: 2) }

  /// Whether `picture`'s file is a progressive JPEG.
  func isProgressive(_ picture: Int) -> Bool {
    !Self.isPNG(picture) && draw.chance(list.progressive, "progressive", picture)
  }

  /// The length of `picture`'s file in a model, in bytes.
  func fileBytes(of picture: Int) -> Int {
    if let listed = list.listed, let row = listed.row(of: picture), let bytes = listed.bytes[row] {
      return bytes
    }
    let size = imageSize(of: picture)
    let pixels = Double(size.width * size.height)
    let bytes =
      switch list.bytes {
      case .lognormal(let bytes):
        draw.lognormal(median: bytes.median, sigma: bytes.sigma, "bytes", picture)
      case .perPixel(let bits):
        pixels / 8 * draw.lognormal(median: bits.median, sigma: bits.sigma, "bits", picture)
      case .generated:
        max(
          Self.leastGenerated,
          Self.tables(picture)
            + pixels / 8
            * draw.lognormal(
              median: Self.bits(picture).median, sigma: Self.bits(picture).sigma, "bits", picture))
      }
    return Int(min(max(bytes.rounded(.down), 1), Self.largestFile))
  }

  /// The longest file, in bytes. 16 MB: what photographs of the largest cameras take as JPEG.
  private static let largestFile = 16e6

  /// The bits a pixel that photographic pictures of rows take besides their tables, by format. Measured of 320x320 px:
  /// PNG 4.2-5.3, JPEG of quality 80 2.45-2.49.
  static let pngBits = Lognormal(median: 4.95, sigma: 0.07)
  static let jpegBits = Lognormal(median: 2.48, sigma: 0.006)
  /// The shortest generated file, in bytes: even the smallest picture has its row number in it.
  private static let leastGenerated = 2_048.0

  private static func bits(_ picture: Int) -> Lognormal { isPNG(picture) ? pngBits : jpegBits }

  /// What a file takes beside its pixels, in bytes: the chunks of a PNG, the quantisation and Huffman tables of a JPEG.
  private static func tables(_ picture: Int) -> Double { isPNG(picture) ? 57 : 625 }
}
