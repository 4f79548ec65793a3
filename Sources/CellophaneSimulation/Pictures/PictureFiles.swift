internal import Cellophane
internal import CellophaneTesting

/// The files of generated pictures, PNG for even rows and JPEG for odd ones, and what an origin answers with
/// them.
struct PictureFiles: Sendable {
  /// The quality of the JPEG files: what photo sites serve thumbnails with.
  static let quality = 80

  private let files: [[UInt8]]

  /// The files of the first `count` rows, made on as many tasks as there are cores.
  ///
  /// - Throws: ``LoadError`` when a picture of this size cannot be written; ``LoadError/cancelled``.
  init(count: Int, size: PixelSize, seed: UInt64) async throws(LoadError) {
    do {
      files = try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
        for row in 0..<count {
          group.addTask {
            try Task.checkCancellation()
            return (row, try Self.encode(RowPicture(row: row, size: size, seed: seed)))
          }
        }
        var files = Array(repeating: [UInt8](), count: count)
        for try await (row, file) in group { files[row] = file }
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
  var meanBytes: Int { files.isEmpty ? 0 : files.reduce(0) { $0 + $1.count } / files.count }

  /// The file of `row`, which must be one of those made.
  func file(of row: Int) -> [UInt8] { files[row] }

  /// The path of `row`'s picture.
  static func path(of row: Int) -> String { "/row/\(row).\(row.isMultiple(of: 2) ? "png" : "jpg")" }

  /// The picture that `request` asks for, or 404.
  func answer(_ request: OriginRequest) -> OriginResponse {
    guard let row = Self.row(at: request.path), files.indices.contains(row) else {
      return OriginResponse(status: 404)
    }
    return OriginResponse(headers: Self.headers(of: row), body: file(of: row))
  }

  /// The row whose picture has `path`; nil when none has.
  static func row(at path: String) -> Int? {
    guard let name = path.split(separator: "/").last, let digits = name.split(separator: ".").first,
      let row = Int(digits), Self.path(of: row) == path
    else { return nil }
    return row
  }

  /// What an origin says of `row`'s picture.
  static func headers(of row: Int) -> HeaderFields {
    [
      "Content-Type": row.isMultiple(of: 2) ? "image/png" : "image/jpeg",
      // Longer than any run.
      "Cache-Control": "max-age=86400",
    ]
  }

  private static func encode(_ picture: RowPicture) throws(LoadError) -> [UInt8] {
    let image = try Image(width: picture.size.width, height: picture.size.height, pixels: picture.pixels())
    return try image.encoded(as: picture.row.isMultiple(of: 2) ? .png : .jpeg(quality: quality))
  }
}
