package import Cellophane

/// The encoders of a program: the formats of the images that it writes.
package struct ImageEncoders: Sendable {
  /// An encoder.
  package struct Encoder: Sendable {
    /// The extensions of file names, in lower case.
    package let extensions: Set<String>
    /// True if encoding depends on the quality.
    package let hasQuality: Bool
    /// The encoding of a quality, 1...100.
    package let encoding: @Sendable (_ quality: Int) -> Image.Encoding

    package init(
      extensions: Set<String>, hasQuality: Bool, encoding: @escaping @Sendable (Int) -> Image.Encoding
    ) {
      (self.extensions, self.hasQuality, self.encoding) = (extensions, hasQuality, encoding)
    }

    /// The format.
    package var format: ImageFormat { encoding(OutputSettings.defaultQuality).format }

    /// PNG, of every quality.
    package static let png = Encoder(extensions: ["png"], hasQuality: false) { _ in .png }

    /// JPEG, with the extensions of image/jpeg in the tables of systems and browsers.
    package static let jpeg = Encoder(
      extensions: ["jpg", "jpeg", "jpe", "jfif", "pjpeg", "pjp"], hasQuality: true
    ) { .jpeg(quality: $0) }
  }

  private let all: [Encoder]

  /// PNG and JPEG.
  package static let standard = ImageEncoders([.png, .jpeg])

  /// Creates a table of encoders, which contains PNG.
  package init(_ encoders: [Encoder]) { all = encoders }

  /// Returns the encoding for the extension of a file name; nil without an encoder for it.
  package func encoding(
    fileName: String, quality: Int = OutputSettings.defaultQuality
  ) -> Image.Encoding? {
    guard let suffix = Self.extension(of: fileName) else { return nil }
    return all.first { $0.extensions.contains(suffix) }?.encoding(quality)
  }

  /// Returns the encoding for an image whose file has `format`: its own, or PNG for a format without an encoder.
  package func encoding(
    for format: ImageFormat, quality: Int = OutputSettings.defaultQuality
  ) -> Image.Encoding {
    all.first { $0.format == format }?.encoding(quality) ?? .png
  }

  /// Returns true if files of `format` depend on the quality.
  package func hasQuality(_ format: ImageFormat) -> Bool {
    all.first { $0.format == format }?.hasQuality ?? false
  }

  /// Returns true if the extension of a file name belongs to a format without an encoder.
  package func isForeign(fileName: String) -> Bool {
    guard let suffix = Self.extension(of: fileName), encoding(fileName: fileName) == nil else { return false }
    return Self.foreignExtensions.contains(suffix)
  }

  /// The usual extensions of the formats, as in ".png, .jpg or .webp".
  package var names: String {
    let names = all.map { "." + $0.format.fileExtension }
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }

  /// Returns the part of a file name after its last dot in lower case; nil without a dot.
  package static func `extension`(of fileName: String) -> String? {
    let name = fileName.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    return name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() }
  }

  /// The extensions of formats that viewers choose by the name: images, pages and documents, video, archives. Others, such as
  /// .tmp and .part, promise no format.
  private static let foreignExtensions: Set<String> = [
    "apng", "avif", "avifs", "bmp", "cr2", "cr3", "cur", "dds", "dib", "dng", "exr", "gif", "hdr", "heic",
    "heics",
    "heif", "heifs", "hif", "icns", "ico", "j2k", "jp2", "jpf", "jpx", "jxl", "jxr", "mng", "nef", "pam",
    "pbm", "pcx",
    "pgm", "pnm", "ppm", "psd", "qoi", "raw", "svg", "svgz", "tga", "tif", "tiff", "webp", "xbm", "xcf",
    "xpm",
    "eps", "htm", "html", "json", "pdf", "ps", "txt", "xml",
    "avi", "mkv", "mov", "mp4", "webm",
    "gz", "tar", "zip", "zst",
  ]
}
