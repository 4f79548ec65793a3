internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch

/// The content of output files: original bodies, or images that are encoded again.
struct OutputSettings: Sendable {
  /// The format of image files.
  enum Format: String, Choice {
    /// The format of the body.
    case original
    case png
    case jpeg
  }

  /// The metadata in output files.
  enum Metadata {
    /// All metadata of an original body; of a re-encoded image only the color profile, unless it is sRGB.
    case usual
    /// Of an original body, only the metadata that the pixels need for their display.
    case stripped
    /// Of a re-encoded image, all metadata that is still valid for its pixels.
    case kept
  }

  /// 90: JPEG artifacts are no longer visible at normal viewing distance.
  static let defaultQuality = 90

  /// True if bodies are decoded; false for bodies of any content.
  var writesImages: Bool
  /// True if the pixels differ from those of the body.
  var changesPixels: Bool
  /// True if the pixels were converted to sRGB.
  var isSRGB = false
  var metadata = Metadata.usual
  var format = Format.original
  /// The quality of re-encoded JPEGs, 1...100.
  var quality = Self.defaultQuality

  /// The extensions that file names can have, with the dot.
  var suffixes: [String] {
    guard writesImages else { return [""] }
    return switch format {
    case .original: [".jpg", ".png"]
    case .png: [".png"]
    case .jpeg: [".jpg"]
    }
  }

  /// Returns the bytes of the file for `item`, and the extension of its name.
  func file(of item: BatchWork.Item) throws(LoadError) -> (bytes: [UInt8], suffix: String) {
    guard let (header, image) = item.picture else { return (item.body.bytes, "") }
    let isPNG = format == .png || format == .original && header.format == .png
    let encoding: Image.Encoding = isPNG ? .png : .jpeg(quality: quality)
    let suffix = isPNG ? ".png" : ".jpg"
    guard changesPixels || !encoding.matches(header.format) else {
      let bytes = item.body.bytes
      return (metadata == .stripped ? MetadataStripper.stripped(bytes, header: header) : bytes, suffix)
    }
    var added =
      metadata == .kept
      ? ImageMetadata(of: item.body.bytes, header: header)
      : ImageMetadata.colors(of: item.body.bytes, header: header)
    if isSRGB { added.profile = nil }
    return (added.added(to: try image.encoded(as: encoding), isPNG ? .png : .jpeg), suffix)
  }
}
