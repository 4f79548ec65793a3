internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch

/// What is written of a line: its body as it came, or its picture.
struct OutputForm: Sendable {
  /// The format of files.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    /// That of the body.
    case original
    case png
    case jpeg
  }

  /// 90: where JPEG's artefacts stop being visible at normal viewing distance.
  static let defaultQuality = 90

  /// False for bodies that nobody looked into.
  var hasPictures: Bool
  /// True when pixels are not those of the body.
  var isChanged: Bool
  var format = Format.original
  /// Of JPEGs, 1...100.
  var quality = Self.defaultQuality

  /// What names of files may end in.
  var suffixes: [String] {
    guard hasPictures else { return [""] }
    return switch format {
    case .original: [".jpg", ".png"]
    case .png: [".png"]
    case .jpeg: [".jpg"]
    }
  }

  /// The bytes of the file, and what its name ends in.
  func file(of item: BatchWork.Item) throws(LoadError) -> (bytes: [UInt8], suffix: String) {
    guard let (header, image) = item.picture else { return (item.body.bytes, "") }
    let isPNG = format == .png || format == .original && header.format == .png
    let encoding: Image.Encoding = isPNG ? .png : .jpeg(quality: quality)
    let bytes =
      isChanged || !encoding.matches(header.format) ? try image.encoded(as: encoding) : item.body.bytes
    return (bytes, isPNG ? ".png" : ".jpg")
  }
}
