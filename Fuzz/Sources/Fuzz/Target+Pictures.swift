@testable import CellophaneCore
@testable import CellophaneImages

extension Target {
  /// Checks that the header and the decoded image have the same size, or fail with the same error.
  func checkHeader(_ input: [UInt8]) -> Bool {
    let decoder = ImageDecoder.fuzzed
    let outcome = Outcome { () throws(LoadError) in try decoder.decode(input, options: ImageOptions()) }
    do throws(LoadError) {
      let header = try decoder.header(of: input)
      guard let picture = outcome.picture else { return true }
      demand(
        header.displaySize == PixelSize(width: picture.width, height: picture.height),
        "the size in the header is \(header.displaySize), the image is \(picture.width)x\(picture.height)")
      let needed = try decoder.workingBytes(for: input, options: ImageOptions())
      demand(needed >= picture.pixels.count, "the estimate of \(needed) bytes is smaller than the image")
    } catch {
      demand(outcome == .failure(error), "the header fails with \(error), decoding returns \(outcome)")
    }
    return true
  }

  /// Checks that decoding is deterministic, and that `allowsPartial` changes the result only for damaged
  /// files.
  func checkPicture(_ input: [UInt8], format: ImageFormat) -> Bool {
    let codec = try? ImageDecoder.fuzzed.registry.codec(for: ByteView(input))
    guard codec?.format == format else { return false }
    let strict = ImageDecoder.fuzzed.decodeTwice(input, options: ImageOptions())
    let partial = ImageDecoder.fuzzed.decodeTwice(input, options: ImageOptions(allowsPartial: true))
    switch (strict, partial) {
    case (.failure(let error), .picture(let image)):
      demand(
        error.kind == .truncated || error.kind == .corrupt,
        "a partial image of a file that fails with \(error)")
      demand(image.isPartial, "a partial image is not marked as partial")
    case (.failure(let error), .failure(let other)):
      demand(error.isLike(other), "without allowsPartial: \(error); with it: \(other)")
    default:
      demand(strict == partial, "without allowsPartial: \(strict); with it: \(partial)")
    }
    return true
  }
}
