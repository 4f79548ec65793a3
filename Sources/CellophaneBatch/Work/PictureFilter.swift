package import Cellophane

/// The sizes of the images that a run keeps. They are judged from the header, before the rest of the file is loaded or decoded.
package struct PictureFilter: Sendable {
  /// The minimum length of the shorter side, in pixels.
  package var minSize: Int?
  /// The maximum number of pixels.
  package var maxArea: Int?
  /// The maximum quotient of the longer and the shorter side.
  package var maxAspect: Double?

  package init(minSize: Int? = nil, maxArea: Int? = nil, maxAspect: Double? = nil) {
    (self.minSize, self.maxArea, self.maxAspect) = (minSize, maxArea, maxAspect)
  }

  /// True if every image is kept.
  package var isEmpty: Bool { minSize == nil && maxArea == nil && maxAspect == nil }

  /// Returns the reason why an image of `size` is left out; nil if it is kept.
  func refusal(of size: PixelSize) -> LoadError? {
    let (shorter, longer) = (min(size.width, size.height), max(size.width, size.height))
    if let minSize, shorter < minSize {
      return Self.refused("\(size) is smaller than --min-size \(minSize)")
    }
    if let maxArea,
      size.width.multipliedReportingOverflow(by: size.height).overflow || size.width * size.height > maxArea
    {
      return Self.refused("\(size) has more than the \(maxArea) pixels of --max-area")
    }
    if let maxAspect, Double(longer) > maxAspect * Double(shorter) {
      return Self.refused("\(size) is narrower than --max-aspect \(maxAspect)")
    }
    return nil
  }

  private static func refused(_ reason: String) -> LoadError {
    LoadError(.refused, "the image of \(reason), so it is left out", detail: .filtered)
  }

  /// Judges the beginning of a file. A file without a readable header is decoded, which reports the error.
  package func verdict(on bytes: [UInt8], _ decoder: ImageDecoder) -> BodyVerdict {
    do throws(LoadError) {
      return refusal(of: try decoder.header(of: bytes).size).map(BodyVerdict.refused) ?? .accepted
    } catch {
      return error.kind == .truncated ? .undecided : .accepted
    }
  }
}
