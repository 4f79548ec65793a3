public import Cellophane

/// Pictures that come again and again in a list, as those of its authors do: a row shows the n-th most popular one in
/// proportion to n^(−exponent).
public struct RepeatedPictures: Sendable, Hashable {
  /// How many there are.
  public var pictures: Int
  /// How much more often the popular ones come; at 0 all come equally often.
  public var exponent: Double

  /// So many pictures of such a popularity.
  public init(pictures: Int, exponent: Double) {
    self.pictures = pictures
    self.exponent = exponent
  }

  /// The numbers of pictures that can be drawn from: a weight is kept for each.
  public static let counts = 1...1_000_000
  /// The exponents that can be drawn with: at 3 four of five are the first.
  public static let exponents = 0.0...3.0

  /// Reads `zipf:EXPONENT,PICTURES`.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` when it is nothing of the kind, or out of range.
  public init(parsing text: String) throws(LoadError) {
    let numbers = text.hasPrefix("zipf:") ? text.dropFirst("zipf:".count).split(separator: ",") : []
    guard numbers.count == 2, let exponent = Double(numbers[0]), let pictures = Int(numbers[1]),
      Self.exponents.contains(exponent), Self.counts.contains(pictures)
    else {
      throw LoadError(
        .invalidRequest,
        "no repetition '\(text)'; take zipf:EXPONENT,PICTURES with an exponent in 0...3 and 1...1000000 pictures"
      )
    }
    self.init(pictures: pictures, exponent: exponent)
  }

  /// What ``init(parsing:)`` reads.
  public var name: String { "zipf:\(exponent),\(pictures)" }

  enum Keys: String, CodingKey, CaseIterable {
    case exponent, pictures
  }

  /// Breslau et al. found exponents of 0.64 to 0.83; a hundred authors are assumed.
  init(reading fields: ScenarioFields<Keys>) throws {
    self.init(
      pictures: try fields.value(.pictures) ?? 100, exponent: try fields.value(.exponent) ?? 0.8)
  }

  func write(to container: inout KeyedEncodingContainer<Keys>) throws {
    try container.encode(pictures, forKey: .pictures)
    try container.encode(exponent, forKey: .exponent)
  }

  func check() throws(LoadError) {
    try ScenarioField.check(pictures, "list.repeat.pictures", within: Self.counts)
    try ScenarioField.check(exponent, "list.repeat.exponent", within: Self.exponents)
  }
}
