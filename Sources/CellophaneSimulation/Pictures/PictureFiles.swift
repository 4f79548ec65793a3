internal import Cellophane
internal import CellophaneTesting

/// The files of generated pictures, PNG for even numbers and JPEG for odd ones, and what an origin says of them.
struct PictureFiles: Sendable {
  /// The quality of the JPEG files: what photo sites serve thumbnails with.
  static let quality = 80

  private let files: [Int: [UInt8]]

  /// The files of `pictures` of `configuration`, made on as many tasks as there are cores. Each has as many bytes as the same picture's in
  /// ``ModelledPictures``.
  ///
  /// - Throws: ``LoadError`` when a picture of this size cannot be written, or not in so few bytes;
  ///   ``LoadError/cancelled``.
  init(
    _ pictures: some Sequence<Int>, of configuration: SimulationConfiguration
  ) async throws(LoadError) {
    let seed = configuration.seed
    let contents = ListContents(configuration.list, seed: seed)
    do {
      files = try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
        for number in pictures {
          let picture = RowPicture(row: number, size: contents.imageSize(of: number), seed: seed)
          group.addTask {
            try Task.checkCancellation()
            return (number, try Self.encode(picture, in: contents.fileBytes(of: number)))
          }
        }
        var files: [Int: [UInt8]] = [:]
        for try await (number, file) in group { files[number] = file }
        return files
      }
    } catch let error as LoadError {
      throw error
    } catch {
      throw .cancelled
    }
  }

  /// The number of files.
  var count: Int { files.count }

  /// The mean size of a file, in bytes.
  var meanBytes: Int { files.isEmpty ? 0 : files.values.reduce(0) { $0 + $1.count } / files.count }

  /// The file of `picture`; nil unless it is one of those made.
  func file(of picture: Int) -> [UInt8]? { files[picture] }

  /// The path of `picture`.
  static func path(of picture: Int) -> String {
    "/row/\(picture).\(ListContents.isPNG(picture) ? "png" : "jpg")"
  }

  /// The picture that has `path`; nil when none has.
  static func picture(at path: String) -> Int? {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
      let dot = path.utf8[slash...].firstIndex(of: UInt8(ascii: ".")),
      let picture = Int(path[path.utf8.index(after: slash)..<dot]), picture >= 0,
      Self.path(of: picture) == path
    else { return nil }
    return picture
  }

  /// What an origin says of `picture`.
  static func headers(of picture: Int) -> HeaderFields {
    [
      "Content-Type": ListContents.isPNG(picture) ? "image/png" : "image/jpeg",
      // Longer than any run.
      "Cache-Control": "max-age=86400",
    ]
  }

  /// What `origin` says of pictures that can be kept.
  static func cacheControl(of origin: SimulationConfiguration.Origin) -> String {
    "max-age=\(origin.maxAge)"
      + (origin.staleWhileRevalidate > 0
        ? ", stale-while-revalidate=\(origin.staleWhileRevalidate)" : "")
  }

  /// Writes a picture into a file of `count` bytes: as much noise as fits, and zeros behind its end, which no decoder
  /// reads.
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
      "a picture of \(width)x\(height) px that tells its row does not fit \(count) bytes; take larger files, or"
        + " virtual time without pixels")
  }

  /// The amounts of noise to try: somewhat less than the sizes of files were measured with, half of that, none.
  private static let noises = [30, 15, 0]

  /// The file of a picture, as large as it comes.
  static func encode(_ picture: RowPicture) throws(LoadError) -> [UInt8] {
    let image = try Image(width: picture.size.width, height: picture.size.height, pixels: picture.pixels())
    return try image.encoded(as: ListContents.isPNG(picture.row) ? .png : .jpeg(quality: quality))
  }
}
