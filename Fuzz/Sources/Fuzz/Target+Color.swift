import CFuzzing
@testable import CellophaneCore
@testable import CellophaneImages

extension Target {
  /// Checks the color profile of an image, or of an ICC profile that is put into both formats.
  func checkColor(_ input: [UInt8]) -> Bool {
    if input.starts(with: PNGHeader.signature) || input.starts(with: JPEGHeader.signature) {
      profile(in: input)
      return true
    }
    // The maximum size of a profile in one JPEG segment.
    guard input.count <= 65_535 - 16 else { return false }
    let inJPEG = profile(in: jpeg(profile: input))
    let inPNG = profile(in: png(profile: input))
    demand(inJPEG != nil && inJPEG == inPNG, "in a JPEG \(inJPEG as Any), in a PNG \(inPNG as Any)")
    return true
  }

  /// Returns the color profile of `file`. Reads it twice, with different contents of fresh memory.
  @discardableResult
  private func profile(in file: [UInt8]) -> ColorProfile? {
    fuzzing_fill_memory(0x00)
    let first = profile(of: file)
    fuzzing_fill_memory(0xFF)
    demand(profile(of: file) == first, "the profile depends on uninitialized memory")
    guard case .success(let profile) = first else {
      demand(
        (try? ImageDecoder.fuzzed.header(of: file)) == nil,
        "metadata caused an error of the color profile: \(first)")
      return nil
    }
    demand(profile.name.count <= 80, "a name of \(profile.name.count) characters")
    demand(
      !profile.name.unicodeScalars.contains { $0.properties.generalCategory == .control },
      "a control character in a name")
    return profile
  }

  private func profile(of file: [UInt8]) -> Result<ColorProfile, LoadError> {
    Result { () throws(LoadError) in try ImageDecoder.fuzzed.colorProfile(of: file) }
  }

  /// Returns a JPEG of three components, up to its only scan.
  private func jpeg(profile: [UInt8]) -> [UInt8] {
    let length = profile.count + 16
    return [0xFF, 0xD8, 0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 0xFF)] + Array("ICC_PROFILE\0".utf8)
      + [1, 1] + profile
      + [0xFF, 0xC0, 0, 17, 8, 0, 1, 0, 1, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]
      + [0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0]
  }

  /// Returns a PNG of three channels, without pixels.
  private func png(profile: [UInt8]) -> [UInt8] {
    let packed = [UInt8](unsafeUninitializedCapacity: profile.count + 1024) { buffer, count in
      count = fuzzing_deflate(profile, profile.count, buffer.baseAddress, buffer.count, 1)
    }
    return PNGFile(chunks: [
      PNGFile.Chunk(type: Array("IHDR".utf8), content: [0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]),
      PNGFile.Chunk(type: Array("iCCP".utf8), content: Array("name\0\0".utf8) + packed),
      PNGFile.Chunk(type: Array("IEND".utf8), content: []),
    ]).bytes
  }
}
