@testable import Cellophane

extension Target {
  func checkHeader(_ input: [UInt8]) -> Bool {
    let decoder = ImageDecoder.fuzzed
    let outcome = Outcome { () throws(LoadError) in try decoder.decode(input, options: ImageOptions()) }
    do throws(LoadError) {
      let header = try decoder.header(of: input)
      guard let picture = outcome.picture else { return true }
      demand(
        header.displaySize == PixelSize(width: picture.width, height: picture.height),
        "the header says \(header.displaySize), the picture is \(picture.width)x\(picture.height)")
      let needed = try decoder.workingBytes(for: input, options: ImageOptions())
      demand(needed >= picture.pixels.count, "\(needed) bytes cannot hold the picture")
    } catch {
      demand(outcome == .failure(error), "the header fails with \(error), decoding gives \(outcome)")
    }
    return true
  }

  func checkPicture(_ input: [UInt8], format: ImageFormat) -> Bool {
    guard input.starts(with: format == .png ? PNGHeader.signature : JPEGHeader.signature) else {
      return false
    }
    let strict = ImageDecoder.fuzzed.decodeTwice(input, options: ImageOptions())
    let partial = ImageDecoder.fuzzed.decodeTwice(input, options: ImageOptions(allowsPartial: true))
    switch (strict, partial) {
    case (.failure(let error), .picture(let image)):
      demand(error.kind == .truncated || error.kind == .corrupt, "there is a part of what is \(error)")
      demand(image.isPartial, "a part passes for the picture")
    case (.failure(let error), .failure(let other)):
      demand(error.isLike(other), "strictly: \(error); where a part is enough: \(other)")
    default:
      demand(strict == partial, "strictly: \(strict); where a part is enough: \(partial)")
    }
    return true
  }
}
