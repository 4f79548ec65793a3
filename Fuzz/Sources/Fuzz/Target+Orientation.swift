@testable import CellophaneCore
@testable import CellophaneImages

extension Target {
  /// Checks the orientation and the fields in a TIFF structure, as in an EXIF block.
  func checkOrientation(_ input: [UInt8]) -> Bool {
    // The capacity of a JPEG segment, without its length and the EXIF identifier.
    guard input.count <= 65_535 - 8 else { return false }
    let alone = Orientation(tiff: ByteView(input))
    let fields = TIFFView(ByteView(input))?.fields ?? []
    for (name, file) in [("JPEG", jpeg(exif: input)), ("PNG", png(exif: input))] {
      do throws(LoadError) {
        let inFile = try ImageDecoder.fuzzed.header(of: file).orientation
        demand(inFile == alone, "the orientation is \(alone), in a \(name) \(inFile)")
        let fieldsInFile = try ImageDecoder.fuzzed.exifFields(of: file)
        demand(fieldsInFile == fields, "the fields are \(fields), in a \(name) \(fieldsInFile)")
      } catch {
        fatalError("metadata caused an error of the header: \(error)")
      }
    }
    return true
  }

  /// Returns a gray JPEG, up to its only scan.
  private func jpeg(exif: [UInt8]) -> [UInt8] {
    let length = exif.count + 8
    return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + Array("Exif\0\0".utf8) + exif
      + [0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
  }

  /// Returns a gray PNG without pixels.
  private func png(exif: [UInt8]) -> [UInt8] {
    PNGFile(chunks: [
      PNGFile.Chunk(type: Array("IHDR".utf8), content: [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]),
      PNGFile.Chunk(type: Array("eXIf".utf8), content: exif),
      PNGFile.Chunk(type: Array("IEND".utf8), content: []),
    ]).bytes
  }
}
