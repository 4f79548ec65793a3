package import Cellophane

extension Image.Encoding {
  /// Returns the encoding for the extension of a file name; nil for other extensions than those of PNG and JPEG.
  package init?(fileName: String) {
    switch fileName.split(separator: ".").last?.lowercased() {
    case "png": self = .png
    case "jpg", "jpeg": self = .jpeg(quality: OutputSettings.defaultQuality)
    default: return nil
    }
  }

  /// Returns true if the extension of a file name belongs to an image format that the tool cannot encode.
  package static func isForeign(fileName: String) -> Bool {
    // The formats that browsers show, cameras write and scanners write, other than PNG and JPEG.
    let formats = ["gif", "webp", "avif", "heic", "heif", "jxl", "svg", "bmp", "ico", "tif", "tiff"]
    return fileName.split(separator: ".").last.map { formats.contains($0.lowercased()) } ?? false
  }

  /// Returns true if a file of `format` has this encoding.
  package func matches(_ format: ImageFormat) -> Bool { self.format == format }
}
