internal import Cellophane

/// The generated images of a model: files of the right size with a header that identifies the image, and no
/// pixels.
struct ModeledPictures: Sendable {
  /// Returns the base of the URLs on a host: a name that never has an address (RFC 2606).
  static func base(ofHost host: Int) -> String {
    host == 0 ? "http://rows.invalid" : "http://rows\(host).invalid"
  }

  let contents: ListContents

  /// Returns the mean size of the files of the first `rows`, in bytes.
  func meanBytes(of rows: Int) -> Int {
    let pictures = contents.pictures(of: rows)
    return pictures.isEmpty ? 0 : pictures.reduce(0) { $0 + bytes(of: $1) } / pictures.count
  }

  /// Returns the size of `picture`'s file, in bytes.
  func bytes(of picture: Int) -> Int { max(ModeledFile.headerSize, contents.fileBytes(of: picture)) }

  /// Returns the file of a `version` of `picture`.
  func file(of picture: Int, version: Int = 0) -> [UInt8] {
    let file = ModeledFile(
      picture: picture, version: version, isPNG: ListContents.isPNG(picture),
      isProgressive: contents.isProgressive(picture), isAnimated: contents.isAnimated(picture),
      size: contents.imageSize(of: picture))
    return file.bytes(bytes(of: picture))
  }
}
