internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch

/// What is written of a line: its body as it came, or its picture.
struct OutputForm: Sendable {
  /// The format of files.
  enum Format: String, Choice {
    /// That of the body.
    case original
    case png
    case jpeg
  }

  /// What is written of what a body says beside its pixels.
  enum Metadata {
    /// All of it with a body as it came; of a picture that is made, which colours it means where that is not sRGB.
    case usual
    /// Of a body as it came, what its pixels mean.
    case stripped
    /// All that goes with other pixels.
    case kept
  }

  /// 90: where JPEG's artefacts stop being visible at normal viewing distance.
  static let defaultQuality = 90

  /// False for bodies that nobody looked into.
  var hasPictures: Bool
  /// True when pixels are not those of the body.
  var isChanged: Bool
  /// True when pixels were made sRGB.
  var isSRGB = false
  var metadata = Metadata.usual
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
    let suffix = isPNG ? ".png" : ".jpg"
    guard isChanged || !encoding.matches(header.format) else {
      let bytes = item.body.bytes
      return (metadata == .stripped ? StrippedPicture.bytes(of: bytes, header: header) : bytes, suffix)
    }
    var told =
      metadata == .kept
      ? PictureMetadata(of: item.body.bytes, header: header)
      : PictureMetadata.colors(of: item.body.bytes, header: header)
    if isSRGB { told.profile = nil }
    return (told.added(to: try image.encoded(as: encoding), isPNG ? .png : .jpeg), suffix)
  }
}
