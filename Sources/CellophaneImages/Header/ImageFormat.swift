/// An image file format.
public struct ImageFormat: Hashable, Sendable {
  /// The stable name in results: `png`.
  public let id: String
  /// The name in messages: `PNG`.
  public let name: String
  /// The media type: `image/png`.
  public let mediaType: String
  /// The usual extension of file names, without the dot: `png`.
  public let fileExtension: String

  package init(_ id: String, name: String, mediaType: String, fileExtension: String) {
    (self.id, self.name, self.mediaType, self.fileExtension) = (id, name, mediaType, fileExtension)
  }

  /// Portable Network Graphics (ISO/IEC 15948).
  public static let png = ImageFormat("png", name: "PNG", mediaType: "image/png", fileExtension: "png")
  /// JPEG (ISO/IEC 10918), baseline or progressive, 8 bits per sample.
  public static let jpeg = ImageFormat(
    "jpeg", name: "JPEG", mediaType: "image/jpeg", fileExtension: "jpg")

  /// Compares the names in results.
  public static func == (a: ImageFormat, b: ImageFormat) -> Bool { a.id == b.id }

  /// Hashes the name in results.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension ImageFormat: CustomStringConvertible {
  /// The name in results.
  public var description: String { id }
}
