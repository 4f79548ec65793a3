package import Cellophane

/// Images that occur repeatedly in a list, such as the portraits of its authors. A row shows the n-th most
/// popular image with a probability proportional to n^(−exponent).
package struct RepeatedPictures: Sendable, Hashable {
  /// The number of images.
  package var pictures: Int
  /// The exponent of the popularity. At 0 all images are equally frequent.
  package var exponent: Double

  /// Creates a distribution of repeated images.
  package init(pictures: Int, exponent: Double) {
    self.pictures = pictures
    self.exponent = exponent
  }

  /// The accepted numbers of images. A weight is stored for each.
  package static let counts = 1...1_000_000
  /// The accepted exponents. At 3, four of five rows show the most popular image.
  package static let exponents = 0.0...3.0

  /// Reads `zipf:EXPONENT,IMAGES`.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` if the text has another format or a value is out of range.
  package init(parsing text: String) throws(LoadError) {
    let numbers = text.hasPrefix("zipf:") ? text.dropFirst("zipf:".count).split(separator: ",") : []
    guard numbers.count == 2, let exponent = Double(numbers[0]), let pictures = Int(numbers[1]),
      Self.exponents.contains(exponent), Self.counts.contains(pictures)
    else {
      throw LoadError(
        .invalidRequest,
        "unknown repetition '\(text)'; use zipf:EXPONENT,IMAGES with an exponent from 0 to 3 and 1 to 1000000 "
          + "images")
    }
    self.init(pictures: pictures, exponent: exponent)
  }

  /// The text in the format of ``init(parsing:)``.
  package var name: String { "zipf:\(exponent),\(pictures)" }

  enum Keys: String, CodingKey, CaseIterable {
    case exponent, pictures
  }

  /// Decodes the fields. The default exponent, 0.8, is within the 0.64 to 0.83 of Breslau et al.; the 100
  /// images are assumed.
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
