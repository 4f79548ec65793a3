@testable import Cellophane

extension Target {
  /// The input is a TIFF structure, as an EXIF block holds it.
  func checkOrientation(_ input: [UInt8]) -> Bool {
    // What a JPEG's block can hold besides its length and the mark.
    guard input.count <= 65_535 - 8 else { return false }
    let alone = Orientation(tiff: ByteView(input))
    for (name, file) in [("JPEG", jpeg(exif: input)), ("PNG", png(exif: input))] {
      do throws(LoadError) {
        let inFile = try ImageHeader(of: file).orientation
        demand(inFile == alone, "the orientation is \(alone), in a \(name) \(inFile)")
      } catch {
        fatalError("metadata made a header fail: \(error)")
      }
    }
    return true
  }

  /// A grey JPEG up to its only scan.
  private func jpeg(exif: [UInt8]) -> [UInt8] {
    let length = exif.count + 8
    return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + Array("Exif\0\0".utf8) + exif
      + [0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
  }

  /// A grey PNG without pixels.
  private func png(exif: [UInt8]) -> [UInt8] {
    PNGFile(chunks: [
      PNGFile.Chunk(type: Array("IHDR".utf8), content: [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]),
      PNGFile.Chunk(type: Array("eXIf".utf8), content: exif),
      PNGFile.Chunk(type: Array("IEND".utf8), content: []),
    ]).bytes
  }
}
