package import Cellophane
internal import Foundation

/// Image files in a folder and their expected results.
package struct Corpus: Sendable {
  private struct Table: Decodable {
    let files: [CorpusFile]
    let damaged: [DamagedFile]
  }

  package let files: [CorpusFile]
  package let damaged: [DamagedFile]
  private let folder: URL

  /// The files in `Corpus/`, written by `Scripts/make-corpus.py`.
  package static let shared = Corpus(beside: #filePath)

  /// Reads the folder `Corpus` beside the source file `path`. It is empty if it cannot be read, and a test checks that it is
  /// not.
  package init(beside path: String) {
    folder = URL(filePath: path).deletingLastPathComponent().appending(path: "Corpus")
    do {
      let data = try Data(contentsOf: folder.appending(path: "expected.json"))
      let table = try JSONDecoder().decode(Table.self, from: data)
      (files, damaged) = (table.files, table.damaged)
    } catch {
      print("the corpus cannot be read: \(error)")
      (files, damaged) = ([], [])
    }
  }

  package func bytes(of file: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appending(path: file)))
  }

  /// Returns a file in `Corpus/`.
  package static func bytes(of file: String) throws -> [UInt8] { try shared.bytes(of: file) }
}

/// One file of the corpus and its expected result: an image or an error.
package struct CorpusFile: Sendable, Decodable, CustomStringConvertible {
  /// The path in the corpus.
  package let file: String
  /// The property that the file tests.
  package let covers: String

  /// The kind of the expected error, and a part of its message.
  package let error, says: String?

  /// The size as stored, and the hash of the pixels as stored (FNV-1a, 64 bits, in hexadecimal).
  package let width, height: Int?
  package let pixels: String?
  /// The warnings about the image.
  package let warnings: [String]?
  /// The hash with libjpeg-turbo 3, if it smooths the image differently.
  package let smoothedLater: String?
  /// The properties in the header.
  package let model: String?
  package let bits: Int?
  package let progressive: Bool?
  /// The EXIF orientation unless it is 1, and the hash of the upright pixels.
  package let orientation: UInt8?
  package let upright: String?

  package var description: String { "\(file) (\(covers))" }

  /// The size as stored; 0x0 for an error.
  package var size: PixelSize { PixelSize(width: width ?? 0, height: height ?? 0) }

  /// The displayed size. Orientations from 5 exchange the sides.
  package var uprightSize: PixelSize {
    orientation ?? 1 > 4 ? PixelSize(width: size.height, height: size.width) : size
  }
}

/// A file of the corpus and its expected results after random damage.
///
/// The script uses the same random numbers.
package struct DamagedFile: Sendable, Decodable {
  package let file: String
  package let seed: UInt64
  /// One word for each variant.
  ///
  /// "-" is an error, "?" an image whose pixels depend on the processor. Other words are the lower 32 bits of
  /// the hash.
  package let outcomes: String

  /// Returns variant `number` of `bytes`: every fourth is truncated, the others have one inverted bit.
  package static func damaged(_ bytes: [UInt8], variant number: Int, _ draw: UInt64) -> [UInt8] {
    if number % 4 == 3 { return Array(bytes.prefix(Int(draw % UInt64(bytes.count)))) }
    var bytes = bytes
    let bit = Int(draw % UInt64(bytes.count * 8))
    bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    return bytes
  }
}
