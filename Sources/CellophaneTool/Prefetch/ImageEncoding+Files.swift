internal import Cellophane

extension Image.Encoding {
  /// The encoding that a file name asks for; nil when it names neither PNG nor JPEG.
  init?(fileName: String) {
    switch fileName.split(separator: ".").last?.lowercased() {
    case "png": self = .png
    case "jpg", "jpeg": self = .jpeg(quality: OutputForm.defaultQuality)
    default: return nil
    }
  }

  /// True when a file name asks for an image format that can only be written as it came.
  static func isForeign(fileName: String) -> Bool {
    // Those that browsers show beside PNG and JPEG, and those that cameras and scanners write.
    let formats = ["gif", "webp", "avif", "heic", "heif", "jxl", "svg", "bmp", "ico", "tif", "tiff"]
    return fileName.split(separator: ".").last.map { formats.contains($0.lowercased()) } ?? false
  }

  /// True when a file of `format` already has this encoding.
  func matches(_ format: ImageFormat) -> Bool {
    switch (self, format) {
    case (.png, .png), (.jpeg, .jpeg): true
    default: false
    }
  }
}
