package import Cellophane

/// The columns with the box to which the image of each record is cropped.
package struct CropColumns: Sendable {
  /// Four columns with the left edge, the top edge, the width and the height, or one column with these four numbers.
  package let names: [String]

  /// The largest number of a box. No image format allows longer sides.
  private static let largest = Double(1 << 31)

  /// - Throws: ``LoadError/Kind/invalidRequest`` unless there are one or four names.
  package init(_ names: [String]) throws(LoadError) {
    guard names.count == 1 || names.count == 4, !names.contains("") else {
      throw LoadError(
        .invalidRequest, "a box needs four columns (left, top, width, height) or one column with four numbers"
      )
    }
    self.names = names
  }

  /// Returns the box of a record. Fractions are rounded, so that the box contains them.
  ///
  /// - Parameter text: Returns the text of a column.
  /// - Throws: ``LoadError/Kind/invalidRequest`` if the columns have no box.
  func box(_ text: (String) -> String?) throws(LoadError) -> Box {
    let texts = names.map { text($0) ?? "" }
    let numbers = (texts.count == 4 ? texts : Self.parts(of: texts[0])).map(Self.number)
    guard numbers.count == 4, let left = numbers[0], let top = numbers[1], let width = numbers[2],
      let height = numbers[3], width > 0, height > 0
    else {
      let text = texts.joined(separator: ", ").prefix(200)
      throw LoadError(
        .invalidRequest,
        "the box '\(text)' does not have the four numbers left, top, width and height in pixels")
    }
    let (x, y) = (Int(left.rounded(.down)), Int(top.rounded(.down)))
    return Box(
      x: x, y: y, width: Int((left + width).rounded(.up)) - x, height: Int((top + height).rounded(.up)) - y)
  }

  /// Returns the numbers of a text such as `[10, 20, 64, 64]` or `10 20 64 64`.
  private static func parts(of text: String) -> [String] {
    var text = text[...]
    if text.hasPrefix("["), text.hasSuffix("]") { text = text.dropFirst().dropLast() }
    return text.split { ",; \t".contains($0) }.map(String.init)
  }

  /// Returns a decimal number; nil for any other text, and for numbers that no image has.
  private static func number(_ text: String) -> Double? {
    let text = text.filter { $0 != " " && $0 != "\t" }
    guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), let number = Double(text),
      abs(number) <= largest
    else { return nil }
    return number
  }

  /// A box in pixels.
  struct Box: Hashable {
    let x, y, width, height: Int

    var processor: ImageProcessing { .crop(x: x, y: y, width: width, height: height) }
  }
}

/// The columns of a list that determine the image and the result of a record besides its URL.
package struct RecordColumns: Sendable {
  /// The columns with the box of each image; nil for complete images.
  package var crop: CropColumns?
  /// The column with the expected hash of each body; nil to accept every body.
  package var verification: HashColumn?

  package init(crop: CropColumns? = nil, verification: HashColumn? = nil) {
    (self.crop, self.verification) = (crop, verification)
  }

  /// The names of the columns.
  package var names: [String] { (crop?.names ?? []) + (verification.map { [$0.name] } ?? []) }

  /// Returns the box and the expected hash of a record as text, equal for equal values; nil without such columns.
  ///
  /// - Parameter text: Returns the text of a column.
  func identity(_ text: (String) -> String?) -> String? {
    if crop == nil, verification == nil { return nil }
    var parts: [String] = []
    if let crop {
      parts.append((try? crop.box(text)).map { "\($0.x) \($0.y) \($0.width) \($0.height)" } ?? "none")
    }
    if let verification {
      parts.append("\(verification.hash.rawValue) \((try? verification.expected(text)) ?? "none")")
    }
    return parts.joined(separator: "\n")
  }
}

extension ImageOptions {
  /// Returns the options for the part of an image within `box`. The part is cropped before it is resized.
  func cropped(to box: CropColumns.Box) -> ImageOptions {
    var options = self
    var processors = [box.processor]
    if let size = targetSize {
      processors.append(.resize(to: size, mode: mode, filter: filter, enlarges: enlarges))
      options.targetSize = nil
    }
    options.processors = processors + self.processors
    return options
  }
}
