#if GIF && WebP
  internal import Foundation

  /// The animations and their expected frames.
  struct AnimationCorpus {
    struct File: Decodable {
      let file: String
      /// The number of plays; nil for ever.
      let plays: Int?
      /// The delays in the file, in ms.
      let delays: [Int]
      /// True if Pillow composes the same frames.
      let pillow: Bool
      /// The hash of the pixels of each frame (FNV-1a, 64 bits, in hexadecimal).
      let frames: [String]
    }

    private struct Table: Decodable {
      let width, height: Int
      let files: [File]
    }

    let width, height: Int
    let files: [File]
    private let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")

    init() {
      let data = (try? Data(contentsOf: folder.appending(path: "expected.json"))) ?? Data()
      let table = try? JSONDecoder().decode(Table.self, from: data)
      (width, height, files) = (table?.width ?? 0, table?.height ?? 0, table?.files ?? [])
    }

    func bytes(of file: String) throws -> [UInt8] {
      Array(try Data(contentsOf: folder.appending(path: file)))
    }
  }
#endif
