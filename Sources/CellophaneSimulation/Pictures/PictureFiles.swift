internal import Cellophane

/// The names, headers and contents of the files of generated images: PNG for even numbers, JPEG for odd ones.
enum PictureFiles {
  /// The quality of the JPEG files, which is usual for thumbnails of photo sites.
  static let quality = 80

  /// Returns the path of `picture`.
  static func path(of picture: Int) -> String {
    "/row/\(picture).\(ListContents.isPNG(picture) ? "png" : "jpg")"
  }

  /// Returns the image with `path`; nil if absent.
  static func picture(at path: String) -> Int? {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
      let dot = path.utf8[slash...].firstIndex(of: UInt8(ascii: ".")),
      let picture = Int(path[path.utf8.index(after: slash)..<dot]), picture >= 0,
      Self.path(of: picture) == path
    else { return nil }
    return picture
  }

  /// Returns the headers of the response for `picture`.
  static func headers(of picture: Int) -> HeaderFields {
    [
      "Content-Type": ListContents.isPNG(picture) ? "image/png" : "image/jpeg",
      // A day: the longest run.
      "Cache-Control": "max-age=86400",
    ]
  }

  /// Returns the cache directives of `origin` for images that need no revalidation.
  static func cacheControl(of origin: SimulationConfiguration.Origin) -> String {
    "max-age=\(origin.maxAge)"
      + (origin.staleWhileRevalidate > 0
        ? ", stale-while-revalidate=\(origin.staleWhileRevalidate)" : "")
  }

  /// Generates the file of `picture` of a list with `contents`. It has as many bytes as in ``ModeledPictures``.
  ///
  /// - Throws: ``LoadError`` if the image cannot be encoded, or not in so few bytes.
  static func file(of picture: Int, in contents: ListContents, seed: UInt64) throws(LoadError) -> [UInt8] {
    try encode(
      RowPicture(row: picture, size: contents.imageSize(of: picture), seed: seed),
      in: contents.fileBytes(of: picture))
  }

  /// Encodes an image as a file of `count` bytes, with as much noise as fits. Zeros after the end, which
  /// decoders ignore, fill the file.
  private static func encode(_ picture: RowPicture, in count: Int) throws(LoadError) -> [UInt8] {
    var picture = picture
    for noise in noises {
      picture.noise = noise
      let file = try encode(picture)
      if file.count <= count { return file + [UInt8](repeating: 0, count: count - file.count) }
    }
    let (width, height) = (picture.size.width, picture.size.height)
    throw LoadError(
      .invalidRequest,
      "an image of \(width)x\(height) px with its row number does not fit \(count) bytes; use larger files, or"
        + " virtual time and the decoding mode model")
  }

  /// The amounts of noise to try: a little less than in the measurement of file sizes, half of that, and
  /// none.
  private static let noises = [30, 15, 0]

  /// Encodes an image without a limit of its size.
  static func encode(_ picture: RowPicture) throws(LoadError) -> [UInt8] {
    let image = try Image(width: picture.size.width, height: picture.size.height, pixels: picture.pixels())
    return try image.encoded(as: ListContents.isPNG(picture.row) ? .png : .jpeg(quality: quality))
  }
}
