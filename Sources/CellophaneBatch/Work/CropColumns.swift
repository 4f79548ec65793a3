package import Cellophane

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

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

  /// Returns the box of `record`. Fractions are rounded, so that the box contains them.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` if the columns have no box.
  func box(of record: ListRecord) throws(LoadError) -> ImageProcessing {
    let texts = names.map { record.text(of: $0) ?? "" }
    let parts =
      texts.count == 4
      ? texts : texts[0].split { ",;[]() \t".contains($0) }.map(String.init)
    let numbers = parts.compactMap { Double($0) }.filter { abs($0) <= Self.largest }
    guard numbers.count == 4, parts.count == 4, numbers[2] > 0, numbers[3] > 0 else {
      let text = texts.joined(separator: ", ").prefix(200)
      throw LoadError(
        .invalidRequest,
        "the box '\(text)' has not the four numbers left, top, width and height in pixels")
    }
    let (left, top) = (Int(numbers[0].rounded(.down)), Int(numbers[1].rounded(.down)))
    let right = Int((numbers[0] + numbers[2]).rounded(.up))
    let bottom = Int((numbers[1] + numbers[3]).rounded(.up))
    return .crop(x: left, y: top, width: right - left, height: bottom - top)
  }
}

extension ImageOptions {
  /// Returns the options for the part of an image within `box`. The part is cropped before it is resized.
  func cropped(to box: ImageProcessing) -> ImageOptions {
    var options = self
    var processors = [box]
    if let size = targetSize {
      processors.append(.resize(to: size, mode: mode, filter: filter, enlarges: enlarges))
      options.targetSize = nil
    }
    options.processors = processors + self.processors
    return options
  }
}
