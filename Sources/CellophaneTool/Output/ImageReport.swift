internal import Cellophane

/// A picture and what its file says of it.
struct DecodedFile {
  let header: ImageHeader
  let image: Image

  /// Decodes `bytes`.
  init(
    _ bytes: [UInt8], options: ImageOptions, decoder: ImageDecoder = ImageDecoder()
  ) throws(LoadError) {
    header = try decoder.header(of: bytes)
    image = try decoder.decode(bytes, options: options)
  }
}

/// What `--json` prints of a picture.
struct ImageReport: Encodable {
  let format: String
  let storedWidth: Int
  let storedHeight: Int
  let orientation: Int
  let bitDepth: Int
  let colorModel: String
  let width: Int
  let height: Int
  /// The file ended early or is damaged; some pixels are missing.
  let partial: Bool

  init(_ file: DecodedFile) {
    format = file.header.format.rawValue
    storedWidth = file.header.size.width
    storedHeight = file.header.size.height
    orientation = Int(file.header.orientation.rawValue)
    bitDepth = file.header.bitDepth
    colorModel = file.header.colorModel.rawValue
    width = file.image.width
    height = file.image.height
    partial = file.image.isPartial
  }

  /// The picture in a few words, for people.
  var summary: String {
    let isWhole = width == storedWidth && height == storedHeight
    return format + " \(width)x\(height)" + (isWhole ? "" : " of \(storedWidth)x\(storedHeight)")
      + (partial ? ", partial" : "")
  }
}
