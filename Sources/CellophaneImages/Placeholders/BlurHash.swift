/// A blurred placeholder for an image in a text of 6 to 166 characters.
///
/// A server sends the placeholder with the address of the image, and a client shows it until the image is loaded. It
/// contains neither alpha nor the aspect ratio of the image. The format is that of Wolt's reference implementation,
/// github.com/woltapp/blurhash.
///
/// The image is stored as its mean color in sRGB and the coefficients of a few low frequencies of a cosine transform in
/// linear light.
public struct BlurHash: Hashable, Sendable {
  /// The digits of the text, 0...82.
  private let digits: [UInt8]

  /// The maximum number of components along a side. The first digit has no values for more.
  static let maximumComponents = 9
  /// The digits before the coefficients: the number of components, the scale, and four of the mean color.
  private static let headerDigits = 6

  /// Creates a placeholder from its text.
  ///
  /// - Throws: ``LoadError/Kind/corrupt`` if the text has a character that is no digit of base 83, a number that the
  ///   format does not allow, or another length than its first digit implies.
  public init(_ string: String) throws(LoadError) {
    guard let digits = Base83.digits(of: string) else {
      throw LoadError(
        .corrupt,
        "the BlurHash has a character that is no digit of base 83; check that the server sends it without other "
          + "text")
    }
    guard digits.count >= Self.headerDigits else {
      throw LoadError(
        .corrupt,
        "a BlurHash of \(digits.count) characters is too short; check that the server sends all "
          + "\(Self.headerDigits) or more")
    }
    self.init(digits: digits)
    let (columns, rows) = components
    guard rows <= Self.maximumComponents else {
      throw LoadError(
        .corrupt, "the BlurHash starts with a number above 80; check that the value is a BlurHash")
    }
    let count = Self.headerDigits + 2 * (columns * rows - 1)
    guard digits.count == count else {
      throw LoadError(
        .corrupt,
        "the BlurHash has \(digits.count) characters, but its \(columns)x\(rows) components need \(count); check "
          + "that the server sends the complete value and nothing else")
    }
    guard averageNumber < 1 << 24, (1..<columns * rows).allSatisfy({ coefficientNumber($0) < 19 * 19 * 19 })
    else {
      throw LoadError(
        .corrupt,
        "the BlurHash has a number that is too large for a color; check that the value is a BlurHash")
    }
  }

  /// Creates a placeholder from digits that the encoder wrote, or that ``init(_:)`` checks next.
  init(digits: [UInt8]) { self.digits = digits }

  /// The text of the placeholder.
  public var string: String { Base83.text(of: digits) }

  /// The number of frequencies along a row and along a column, including the mean.
  public var components: (x: Int, y: Int) { (Int(digits[0]) % 9 + 1, Int(digits[0]) / 9 + 1) }

  /// The mean color of the image in linear light, as an opaque sRGB color.
  public var averageColor: Image.Pixel {
    let color = averageNumber
    return Image.Pixel(
      red: UInt8(truncatingIfNeeded: color >> 16), green: UInt8(truncatingIfNeeded: color >> 8),
      blue: UInt8(truncatingIfNeeded: color))
  }

  /// The scale of the coefficients, from 1/166 to 1/2.
  var scale: Float { Float(digits[1] + 1) / 166 }
  private var averageNumber: Int { Base83.number(digits[2..<6]) }

  /// Returns the number for the component `index`, from 1.
  private func coefficientNumber(_ index: Int) -> Int {
    Base83.number(digits[4 + 2 * index..<6 + 2 * index])
  }

  /// Returns the coefficients of red, green and blue of the component `index`, from 1. They are in -1...1 and are
  /// multiplied by ``scale``.
  func coefficient(_ index: Int) -> SIMD4<Float> {
    let number = coefficientNumber(index)
    let level = SIMD4(Float(number / 361), Float(number / 19 % 19), Float(number % 19), 9)
    let value = (level - 9) / 9
    // The format stores the root, so that small coefficients are more exact.
    return value * value.replacing(with: -value, where: value .< 0)
  }
}

extension BlurHash: CustomStringConvertible {
  /// The text of the placeholder.
  public var description: String { string }
}
