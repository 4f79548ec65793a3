import Cellophane
import Testing

@testable import CellophaneResults

@Suite struct ListContentsTests {
  static func make(_ change: (inout SimulationConfiguration.List) -> Void) -> ListContents {
    var list = SimulationConfiguration.List()
    change(&list)
    return ListContents(list, seed: 1)
  }

  private static func median(_ values: [Int]) -> Double { Double(values.sorted()[values.count / 2]) }

  @Test func `by default each row has a separate image`() {
    let contents = Self.make { _ in }
    #expect((0..<50).map(contents.picture) == Array(0..<50))
    #expect(contents.pictures(of: 50) == Array(0..<50))
    #expect(contents.imageSize(of: 7) == PixelSize(width: 320, height: 320))
    #expect(contents.shownHeight(of: 7) == 112)
  }

  /// P(n) = n^(−s) / Σ k^(−s), within four standard deviations.
  @Test(arguments: [0.0, 0.8, 1.5]) func `repeated images follow Zipf's law`(exponent: Double) {
    let (count, rows) = (20, 40_000)
    let contents = Self.make { $0.repeated = RepeatedPictures(pictures: count, exponent: exponent) }
    var drawn = Array(repeating: 0.0, count: count)
    for row in 0..<rows { drawn[contents.picture(of: row)] += 1 }
    var weights: [Double] = []
    for rank in 1...count { weights.append(1 / Double(rank).power(exponent)) }
    let sum = weights.reduce(0, +)
    for (weight, number) in zip(weights, drawn) {
      let share = weight / sum
      let error = 4 * (share * (1 - share) / Double(rows)).squareRoot()
      #expect(abs(number / Double(rows) - share) < error)
    }
    #expect(contents.pictures(of: rows) == Array(0..<count))
  }

  @Test func `one repeated image belongs to every row, and draws reach all of a million images`() {
    let one = Self.make { $0.repeated = RepeatedPictures(pictures: 1, exponent: 3) }
    #expect((0..<99).allSatisfy { one.picture(of: $0) == 0 })
    let many = ZipfDistribution(count: 1_000_000, exponent: 0)
    #expect(many.rank(at: 0) == 0)
    #expect(many.rank(at: .max) == 999_999)
    #expect(many.rank(at: 1 << 63) == 500_000)
  }

  @Test func `file sizes follow their distribution`() {
    let bytes = Self.make { $0.bytes = .lognormal(Lognormal(median: 60_000, sigma: 0.5)) }
    let sizes = (0..<4_000).map(bytes.fileBytes)
    #expect(abs(Self.median(sizes) / 60_000 - 1) < 0.04)
    #expect(Set(sizes).count > 3_000)
    let bits = Self.make { $0.bytes = .perPixel(Lognormal(median: 1.5, sigma: 0)) }
    #expect(bits.fileBytes(of: 3) == 320 * 320 * 3 / 16)
    let extreme = Self.make { $0.bytes = .lognormal(Lognormal(median: 16e6, sigma: 5)) }
    #expect((0..<1_000).allSatisfy { (1...16_000_000).contains(extreme.fileBytes(of: $0)) })
  }

  /// The published 10th, 50th and 90th percentiles of the bits per pixel, in the classes up to 0.1, 0.3 and 0.8 megapixels.
  @Test(arguments: [
    (WebFormat.jpeg, 300, [1.03, 3.07, 11.54]), (.jpeg, 500, [0.60, 1.95, 6.25]),
    (.jpeg, 850, [0.49, 1.56, 4.97]),
    (.webp, 300, [0.49, 1.69, 6.75]), (.webp, 500, [0.24, 0.85, 2.74]), (.webp, 850, [0.23, 0.77, 2.40]),
    (.avif, 300, [0.58, 1.63, 4.36]), (.avif, 500, [0.20, 0.65, 1.64]), (.avif, 850, [0.10, 0.46, 1.40]),
  ])
  func `the files of a format have the published bits per pixel of their size`(
    format: WebFormat, side: Int, percentiles: [Double]
  ) {
    let contents = Self.make {
      $0.image = PixelSize(width: side, height: side)
      $0.bytes = .web(format)
    }
    let sizes = (0..<8_000).map(contents.fileBytes).sorted()
    for (share, published) in zip([0.1, 0.5, 0.9], percentiles) {
      let bits = Double(sizes[Int(share * 8_000)]) * 8 / Double(side * side)
      // The published percentiles are not symmetric around the median, those of large AVIF files least.
      let tolerance = format == .avif ? 0.27 : 0.2
      #expect(abs(bits / published - 1) < tolerance, "\(format) of \(side) px, share \(share): \(bits)")
    }
  }

  @Test func `mixed heights are between half and double of the median, and files have the same proportions`()
  {
    let contents = Self.make {
      $0.layout = .mixed
      $0.heightSigma = 0.6
    }
    let heights = (0..<4_000).map(contents.shownHeight)
    #expect(abs(Self.median(heights) / 300 - 1) < 0.05)
    #expect(heights.min() == 150 && heights.max() == 600)
    for picture in 0..<100 {
      let size = contents.imageSize(of: picture)
      #expect(size.width == 824)
      #expect(abs(Double(size.height) / 2 - Double(contents.shownHeight(of: picture))) <= 1)
    }
  }

  @Test(
    arguments: [
      ("lognormal:60k,0.6", .lognormal(Lognormal(median: 60_000, sigma: 0.6))),
      ("lognormal:1.5M", .lognormal(Lognormal(median: 1_500_000, sigma: 0))),
      ("bpp:1.5,0.25", .perPixel(Lognormal(median: 1.5, sigma: 0.25))), ("generated", .generated),
      ("jpeg", .web(.jpeg)), ("webp", .web(.webp)), ("avif", .web(.avif)),
    ] as [(String, FileSizes)])
  func `file sizes are parsed from their names`(text: String, expected: FileSizes) throws {
    #expect(try FileSizes(parsing: text) == expected)
    #expect(try FileSizes(parsing: expected.name) == expected)
  }

  @Test(arguments: [
    "", "bpp", "bpp:", "bpp:x", "bpp:0", "bpp:99", "bpp:1,9", "bpp:1,2,3", "lognormal:", "lognormal:0",
    "lognormal:17M", "lognormal:nan", "lognormal:60k,-1", "lognormal:60K", "even:5", "generated:1", "jpeg:2",
    "JPEG",
  ])
  func `invalid file sizes are refused`(text: String) {
    #expect(throws: LoadError.self) { try FileSizes(parsing: text) }
  }

  @Test(arguments: [
    "", "zipf", "zipf:", "zipf:1", "zipf:1,0", "zipf:-1,5", "zipf:x,5", "zipf:1,5,6", "even:1,5",
  ])
  func `an invalid repetition is refused`(text: String) throws {
    #expect(throws: LoadError.self) { try RepeatedPictures(parsing: text) }
    let read = try RepeatedPictures(parsing: "zipf:0.8,100")
    #expect(read == RepeatedPictures(pictures: 100, exponent: 0.8))
    #expect(try RepeatedPictures(parsing: read.name) == read)
  }
}

extension Double {
  /// Returns this number to the power of a multiple of 0.1, computed with roots: independent of `pow`.
  fileprivate func power(_ exponent: Double) -> Double {
    var (low, high) = (0.0, self < 1 ? 1 : self * self * self)
    let tenths = Int((exponent * 10).rounded())
    let target = (0..<tenths).reduce(1.0) { product, _ in product * self }
    for _ in 0..<200 {
      let middle = (low + high) / 2
      if (0..<10).reduce(1.0, { product, _ in product * middle }) < target {
        low = middle
      } else {
        high = middle
      }
    }
    return (low + high) / 2
  }
}
