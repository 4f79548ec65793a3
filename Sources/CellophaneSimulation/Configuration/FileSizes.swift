public import Cellophane

/// How large the files of a list's pictures are.
public enum FileSizes: Sendable, Hashable {
  /// As large as generated pictures come out.
  case generated
  /// So many bytes, whatever the picture's size.
  case lognormal(Lognormal)
  /// So many bits a pixel.
  case perPixel(Lognormal)

  /// The medians that files can have, in bytes: from a dot to 16 MB.
  public static let medians = 1.0...16e6
  /// The medians of bits a pixel: from a flat colour to raw samples of three times 16 bits.
  public static let bits = 0.01...48.0

  /// Reads `lognormal:BYTES,SIGMA`, in which bytes may be written as `60k` or `1.5M`, `bpp:BITS,SIGMA`, in both of
  /// which the sigma may be left out as 0, or `generated`.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` when it is nothing of the kind, or out of range.
  public init(parsing text: String) throws(LoadError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = parts.last?.split(separator: ",", omittingEmptySubsequences: false) ?? []
    let sigma = numbers.count == 2 ? Double(numbers[1]) : numbers.count == 1 ? 0 : nil
    guard let kind = parts.first, let median = numbers.first.flatMap(Self.number), let sigma,
      Lognormal.sigmas.contains(sigma), parts.count == 2
    else {
      guard text == "generated" else { throw Self.unknown(text) }
      self = .generated
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
      "no file sizes '\(text)'; take lognormal:BYTES,SIGMA with up to 16M bytes, bpp:BITS,SIGMA with 0.01...48 bits"
        + " a pixel, both with a sigma in 0...5, or generated")
  }

  private static func number(_ text: Substring) -> Double? {
    switch text.last {
    case "k": Double(text.dropLast()).map { $0 * 1e3 }
    case "M": Double(text.dropLast()).map { $0 * 1e6 }
    default: Double(text)
    }
  }

  /// What ``init(parsing:)`` reads.
  public var name: String {
    switch self {
    case .generated: "generated"
    case .lognormal(let bytes): "lognormal:\(bytes.median),\(bytes.sigma)"
    case .perPixel(let bits): "bpp:\(bits.median),\(bits.sigma)"
    }
  }

  enum Keys: String, CodingKey, CaseIterable {
    case distribution = "dist"
    case median, sigma
  }

  /// By default bits a pixel, a median of 1.5 of them, and a sigma of 0.6 (all assumed, after JPEG photographs).
  init(reading fields: ScenarioFields<Keys>) throws {
    var numbers = Lognormal(median: 1.5, sigma: 0.6)
    let median = try fields.value(.median, Double.self)
    numbers.median = median ?? numbers.median
    numbers.sigma = try fields.value(.sigma) ?? numbers.sigma
    switch try fields.value(.distribution, String.self) {
    case nil, "bpp": self = .perPixel(numbers)
    case "lognormal" where median != nil: self = .lognormal(numbers)
    case "lognormal": throw fields.refused(.median, "is missing: the median of the files' sizes in bytes")
    case let other?:
      throw fields.refused(.distribution, "there is no '\(other)'; take one of lognormal, bpp")
    }
  }

  func write(to container: inout KeyedEncodingContainer<Keys>) throws {
    let (distribution, numbers): (String, Lognormal)
    switch self {
    case .generated: return
    case .lognormal(let bytes): (distribution, numbers) = ("lognormal", bytes)
    case .perPixel(let bits): (distribution, numbers) = ("bpp", bits)
    }
    try container.encode(distribution, forKey: .distribution)
    try container.encode(numbers.median, forKey: .median)
    try container.encode(numbers.sigma, forKey: .sigma)
  }

  func check(havePixels: Bool) throws(LoadError) {
    let (numbers, medians): (Lognormal, ClosedRange<Double>)
    switch self {
    case .generated: return
    case .lognormal(let bytes): (numbers, medians) = (bytes, Self.medians)
    case .perPixel(let bits): (numbers, medians) = (bits, Self.bits)
    }
    try ScenarioField.check(numbers.median, "list.bytes.median", within: medians)
    try ScenarioField.check(numbers.sigma, "list.bytes.sigma", within: Lognormal.sigmas)
    guard !havePixels else {
      throw ScenarioField.refused(
        "list.bytes", "files with pixels are as large as they are; take virtual time without them")
    }
  }
}
