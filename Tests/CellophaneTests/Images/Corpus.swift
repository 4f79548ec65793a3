internal import Cellophane
internal import Foundation

/// The picture files under `Corpus/` and what each is expected to decode to, as `Scripts/make-corpus.py` wrote them.
struct Corpus: Sendable, Decodable {
  let files: [CorpusFile]
  let damaged: [DamagedFile]

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")

  /// Read once. A corpus that cannot be read is empty, which a test notices.
  static let whole: Corpus = {
    do {
      let table = try Data(contentsOf: folder.appending(path: "expected.json"))
      return try JSONDecoder().decode(Corpus.self, from: table)
    } catch {
      print("the corpus cannot be read: \(error)")
      return Corpus(files: [], damaged: [])
    }
  }()

  static func bytes(of file: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appending(path: file)))
  }
}

/// One file: either a picture or an error.
struct CorpusFile: Sendable, Decodable, CustomStringConvertible {
  /// Its path within the corpus.
  let file: String
  /// What it is there for.
  let covers: String

  /// The kind of the error, and a part of its message.
  let error, says: String?

  /// The size as stored, and the hash of the pixels as stored (FNV-1a, 64 bits, in hexadecimal).
  let width, height: Int?
  let pixels: String?
  /// What libjpeg-turbo 3 smooths in another way.
  let smoothedLater: String?
  /// What the header says.
  let model: String?
  let bits: Int?
  let progressive: Bool?
  /// The EXIF orientation unless it is 1, and the hash of the pixels when turned upright.
  let orientation: UInt8?
  let upright: String?

  var description: String { "\(file) (\(covers))" }

  /// The size as stored; 0x0 for an error.
  var size: PixelSize { PixelSize(width: width ?? 0, height: height ?? 0) }

  /// The size as shown: the orientations from 5 on change the sides.
  var uprightSize: PixelSize {
    orientation ?? 1 > 4 ? PixelSize(width: size.height, height: size.width) : size
  }
}

/// A file of the corpus, damaged in many ways by a small generator that the script has, too.
struct DamagedFile: Sendable, Decodable {
  let file: String
  let seed: UInt64
  /// A word for each way: "-" an error, "?" a picture whose pixels depend on the processor, else the lower 32 bits of
  /// their hash.
  let outcomes: String

  /// Way `number` to damage `bytes`: each fourth cuts them off, the others turn one bit over.
  static func damaged(_ bytes: [UInt8], way number: Int, _ draw: UInt64) -> [UInt8] {
    if number % 4 == 3 { return Array(bytes.prefix(Int(draw % UInt64(bytes.count)))) }
    var bytes = bytes
    let bit = Int(draw % UInt64(bytes.count * 8))
    bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    return bytes
  }
}
