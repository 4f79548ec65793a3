package import Cellophane

/// The content of output files: original bodies, or images that are encoded again.
package struct OutputSettings: Sendable {
  /// The metadata in output files.
  package enum Metadata: Sendable {
    /// All metadata of an original body; of a re-encoded image only the color profile, unless it is sRGB.
    case usual
    /// Of an original body, only the metadata that the pixels need for their display.
    case stripped
    /// Of a re-encoded image, all metadata that is still valid for its pixels.
    case kept
  }

  /// 90: JPEG artifacts are no longer visible at normal viewing distance.
  package static let defaultQuality = 90

  /// True if bodies are decoded; false for bodies of any content.
  package var writesImages: Bool
  /// True if the pixels differ from those of the body.
  package var changesPixels: Bool
  package var metadata = Metadata.usual
  /// The format of image files; nil for that of the body.
  package var format: ImageFormat?
  /// The encoders of re-encoded images.
  package var encoders = ImageEncoders.standard
  /// The quality of re-encoded images of lossy formats, 1...100.
  package var quality = Self.defaultQuality
  /// The options with which images are decoded.
  package var picture = ImageOptions()

  /// The columns of the list with the box and the expected hash of each record.
  package var columns = RecordColumns()

  /// Creates settings from their values.
  package init(
    writesImages: Bool, changesPixels: Bool, metadata: Metadata = .usual, format: ImageFormat? = nil,
    quality: Int = Self.defaultQuality
  ) {
    (self.writesImages, self.changesPixels) = (writesImages, changesPixels)
    (self.metadata, self.format, self.quality) = (metadata, format, quality)
  }

  /// The extensions that file names can have with any settings.
  static let knownSuffixes = [""] + imageSuffixes

  private static let imageSuffixes = [".jpg", ".png", ".avif", ".gif", ".webp"]

  /// The extensions that file names can have, with the dot.
  var suffixes: [String] {
    guard writesImages else { return [""] }
    return format.map { ["." + $0.fileExtension] } ?? Self.imageSuffixes
  }

  /// Returns the hash of everything that determines an output, 32 hexadecimal digits: the request, these settings, the
  /// columns of the record that matter, and the caption, if any.
  func originHash(of subject: OutputName.Subject, caption: String? = nil) -> String {
    var text = subject.request ?? subject.key ?? subject.url
    if writesImages { text += " \(format?.id ?? "original") \(metadata)" }
    if writesImages, changesPixels || format.map(encoders.hasQuality) == true { text += " \(quality)" }
    if changesPixels, let size = picture.targetSize {
      text += " \(size.width)x\(size.height) \(picture.mode) \(picture.filter) \(picture.enlarges)"
    }
    #if ColorManagement
      if writesImages, picture.convertsToSRGB { text += " srgb" }
    #endif
    if !picture.processors.isEmpty {
      text += " \(picture.processors.map { $0.identifier ?? "" }.joined(separator: " "))"
    }
    if let record = columns.identity(subject.text) { text += "\n" + record }
    if let caption { text += "\n" + caption }
    return XXH3.hexadecimal(Array(text.utf8))
  }

  /// Returns the bytes of the file for `item`, and the extension of its name.
  func file(of item: BatchWork.Item) throws(LoadError) -> (bytes: [UInt8], suffix: String) {
    guard let (header, image) = item.picture else { return (item.body.bytes, "") }
    let encoding = encoders.encoding(for: format ?? header.format, quality: quality)
    let suffix = "." + encoding.format.fileExtension
    guard changesPixels || format != nil && encoding.format != header.format else {
      let (bytes, suffix) = (item.body.bytes, "." + header.format.fileExtension)
      guard metadata == .stripped else { return (bytes, suffix) }
      return (try MetadataStripper.stripped(bytes, header: header, decoder: item.decoder), suffix)
    }
    guard metadata == .kept else { return (try image.encoded(as: encoding), suffix) }
    let kept = try ImageMetadata(
      of: item.body.bytes, header: header, image: image, decoder: item.decoder)
    return (try image.encoded(as: encoding, kept), suffix)
  }
}
