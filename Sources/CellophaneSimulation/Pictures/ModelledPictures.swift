internal import Cellophane

/// The generated pictures in a model: files of the right size with a header that says what they show, and no picture.
struct ModelledPictures: Sendable {
  /// Where they are: a name that never has an address (RFC 2606).
  static let base = "http://rows.invalid"

  let contents: ListContents

  /// The mean size of the files that the first `rows` show, in bytes.
  func meanBytes(of rows: Int) -> Int {
    let pictures = contents.pictures(of: rows)
    return pictures.isEmpty ? 0 : pictures.reduce(0) { $0 + bytes(of: $1) } / pictures.count
  }

  /// The size of `picture`'s file, in bytes.
  func bytes(of picture: Int) -> Int { max(ModelledFile.headerSize, contents.fileBytes(of: picture)) }

  /// The file of a `version` of `picture`.
  func file(of picture: Int, version: Int = 0) -> [UInt8] {
    let file = ModelledFile(
      picture: picture, version: version, isPNG: ListContents.isPNG(picture),
      isProgressive: contents.isProgressive(picture), size: contents.imageSize(of: picture))
    return file.bytes(bytes(of: picture))
  }
}
