package import Cellophane

/// The sizes of the files of a list's images.
package enum FileSizes: Sendable, Hashable {
  /// The sizes of generated images.
  case generated
  /// Lognormal sizes in bytes, independent of the image's size.
  case lognormal(Lognormal)
  /// Lognormal sizes in bits per pixel.
  case perPixel(Lognormal)
  /// The sizes of files of this format on the web.
  case web(WebFormat)

  /// The accepted medians, in bytes: up to 16 MB.
  package static let medians = 1.0...16e6
  /// The accepted medians, in bits per pixel: up to raw samples of three times 16 bits.
  package static let bits = 0.01...48.0

  /// Reads `lognormal:MEDIAN,SIGMA` with bytes such as `60k` or `1.5M`, `bpp:MEDIAN,SIGMA` with bits per
  /// pixel, the name of a ``WebFormat``, or `generated`. A missing sigma is 0.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` if the text has another format or a value is out of range.
  package init(parsing text: String) throws(LoadError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = parts.last?.split(separator: ",", omittingEmptySubsequences: false) ?? []
    let sigma = numbers.count == 2 ? Double(numbers[1]) : numbers.count == 1 ? 0 : nil
    guard let kind = parts.first, let median = numbers.first.flatMap(Self.number), let sigma,
      Lognormal.sigmas.contains(sigma), parts.count == 2
    else {
      let named = WebFormat(rawValue: text).map(FileSizes.web) ?? (text == "generated" ? .generated : nil)
      guard let named else { throw Self.unknown(text) }
      self = named
      return
    }
    switch kind {
    case "lognormal" where Self.medians.contains(median):
      self = .lognormal(Lognormal(median: median, sigma: sigma))
    case "bpp" where Self.bits.contains(median): self = .perPixel(Lognormal(median: median, sigma: sigma))
    default: throw Self.unknown(text)
    }
  }

  private static func unknown(_ text: String) -> LoadError {
    LoadError(
      .invalidRequest,
      "unknown file sizes '\(text)'; use lognormal:MEDIAN[,SIGMA] with up to 16M bytes, bpp:MEDIAN[,SIGMA] with 0.01"
        + " to 48 bits a pixel, both with a sigma from 0 to 5 (0 if missing), jpeg, webp, avif, or generated")
  }

  private static func number(_ text: Substring) -> Double? {
    switch text.last {
    case "k": Double(text.dropLast()).map { $0 * 1e3 }
    case "M": Double(text.dropLast()).map { $0 * 1e6 }
    default: Double(text)
    }
  }

  /// The text in the format of ``init(parsing:)``.
  package var name: String {
    switch self {
    case .generated: "generated"
    case .lognormal(let bytes): "lognormal:\(bytes.median),\(bytes.sigma)"
    case .perPixel(let bits): "bpp:\(bits.median),\(bits.sigma)"
    case .web(let format): format.rawValue
    }
  }

  /// Returns sizes of files with `pixels` pixels, multiplied by `factor`. Those of generated images become one
  /// distribution with the same mean: half of the files are PNGs and half are JPEGs, with 4.95 and 2.48 bits per pixel
  /// (``ListContents``). The median is the geometric mean of both, the sigma half of the logarithm of their ratio.
  func scaled(by factor: Double, pixels: Int) -> FileSizes {
    let bits: Lognormal
    switch self {
    case .generated: bits = Lognormal(median: 3.5, sigma: 0.35)
    case .lognormal(let bytes):
      return .lognormal(Lognormal(median: bytes.median * factor, sigma: bytes.sigma))
    case .perPixel(let own): bits = own
    case .web(let format): bits = format.bits(ofPixels: pixels)
    }
    return .perPixel(Lognormal(median: bits.median * factor, sigma: bits.sigma))
  }

  enum Keys: String, CodingKey, CaseIterable {
    case distribution = "dist"
    case median, sigma
  }

  /// Decodes the fields. The defaults are bits per pixel with a median of 1.5 and a sigma of 0.6 (all
  /// assumed, after JPEG photographs).
  init(reading fields: ScenarioFields<Keys>) throws {
    var numbers = Lognormal(median: 1.5, sigma: 0.6)
    let distribution = try fields.value(.distribution, String.self)
    if let format = distribution.flatMap(WebFormat.init) {
      for key in [Keys.median, .sigma] where fields.has(key) {
        throw fields.error(key, "is published for \(format.rawValue); leave it out, or use bpp")
      }
      self = .web(format)
      return
    }
    let median = try fields.value(.median, Double.self)
    numbers.median = median ?? numbers.median
    numbers.sigma = try fields.value(.sigma) ?? numbers.sigma
    switch distribution {
    case nil, "bpp": self = .perPixel(numbers)
    case "lognormal" where median != nil: self = .lognormal(numbers)
    case "lognormal": throw fields.error(.median, "is missing; give the median file size in bytes")
    case let other?:
      throw fields.error(
        .distribution, "unknown value '\(other)'; use one of lognormal, bpp, jpeg, webp, avif")
    }
  }

  func write(to container: inout KeyedEncodingContainer<Keys>) throws {
    let (distribution, numbers): (String, Lognormal)
    switch self {
    case .generated: return
    case .web(let format): return try container.encode(format.rawValue, forKey: .distribution)
    case .lognormal(let bytes): (distribution, numbers) = ("lognormal", bytes)
    case .perPixel(let bits): (distribution, numbers) = ("bpp", bits)
    }
    try container.encode(distribution, forKey: .distribution)
    try container.encode(numbers.median, forKey: .median)
    try container.encode(numbers.sigma, forKey: .sigma)
  }

  func check(havePixels: Bool) throws(LoadError) {
    switch self {
    case .generated: return
    case .web: break
    case .lognormal(let bytes): try Self.check(bytes, medians: Self.medians)
    case .perPixel(let bits): try Self.check(bits, medians: Self.bits)
    }
    guard !havePixels else {
      throw ScenarioField.error(
        "list.bytes",
        "files with pixels have their actual sizes; use virtual time and the decoding mode model")
    }
  }

  private static func check(_ numbers: Lognormal, medians: ClosedRange<Double>) throws(LoadError) {
    try ScenarioField.check(numbers.median, "list.bytes.median", within: medians)
    try ScenarioField.check(numbers.sigma, "list.bytes.sigma", within: Lognormal.sigmas)
  }
}
