package import Cellophane

extension Image.Encoding {
  /// Returns the encoding for the extension of a file name; nil for other extensions than those of PNG and JPEG.
  package init?(fileName: String) {
    switch Self.extension(of: fileName) {
    case "png": self = .png
    // The extensions of image/jpeg in the tables of systems and browsers.
    case "jpg", "jpeg", "jpe", "jfif", "pjpeg", "pjp": self = .jpeg(quality: OutputSettings.defaultQuality)
    default: return nil
    }
  }

  /// Returns true if the extension of a file name belongs to another format than PNG and JPEG.
  package static func isForeign(fileName: String) -> Bool {
    Self.extension(of: fileName).map(foreignExtensions.contains) ?? false
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

  /// Creates the encoding of an image whose file had `format`: its own, or PNG for a format without an encoder.
  package init(for format: ImageFormat, quality: Int = OutputSettings.defaultQuality) {
    self = format == .jpeg ? .jpeg(quality: quality) : .png
  }

  /// Returns true if a file of `format` has this encoding.
  package func matches(_ format: ImageFormat) -> Bool { self.format == format }
}
