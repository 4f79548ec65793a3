internal import Cellophane

/// The pictures of rows without pixels, for a run in virtual time: files of the size that generated ones have, which
/// hold their row number and no picture.
struct ModelledPictures: Sendable {
  /// Where they are: a name that never has an address (RFC 2606).
  static let base = "http://rows.invalid"
  /// The bits a pixel that the files of ``PictureFiles`` take, by format. Measured of 320x320 px: PNG 4.2-5.3,
  /// JPEG of quality 80 2.50-2.54.
  static let pngBits = Lognormal(median: 4.95, sigma: 0.07)
  static let jpegBits = Lognormal(median: 2.53, sigma: 0.006)

  let size: PixelSize
  let draw: SeededDraw

  /// The pictures of one run.
  init(size: PixelSize, seed: UInt64) {
    self.size = size
    draw = SeededDraw(seed: seed)
  }

  /// The size of `row`'s file, in bytes.
  func bytes(of row: Int) -> Int {
    let model = row.isMultiple(of: 2) ? Self.pngBits : Self.jpegBits
    let bits = draw.lognormal(median: model.median, sigma: model.sigma, "bits", row)
    return max(ModelledFile.headerSize, Int(bits * Double(size.width * size.height) / 8))
  }

  /// The mean size of the files of the first `rows`, in bytes.
  func meanBytes(of rows: Int) -> Int {
    rows > 0 ? (0..<rows).reduce(0) { $0 + bytes(of: $1) } / rows : 0
  }

  /// What an origin with the pictures of all rows answers; 404 for everything else.
  func answer(_ request: TransportRequest) -> TransportResponse {
    guard request.url.hasPrefix(Self.base),
      let row = PictureFiles.row(at: String(request.url.dropFirst(Self.base.count)))
    else { return TransportResponse(status: 404, url: request.url) }
    return TransportResponse(
      status: 200, headers: PictureFiles.headers(of: row),
      body: ModelledFile(row: row, isPNG: row.isMultiple(of: 2), size: size).bytes(bytes(of: row)),
      url: request.url)
  }
}

/// The head of a modelled file, and how it is written: what a decoder needs to know, then zeros.
struct ModelledFile: Sendable, Hashable {
  /// The length, the row, the format and both sides, 8 bytes each.
  static let headerSize = 5 * 8

  let row: Int
  let isPNG: Bool
  let size: PixelSize

  /// The file, of `count` bytes, or of its head alone when that is more.
  func bytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: max(count, Self.headerSize))
    for (index, number) in [bytes.count, row, isPNG ? 1 : 0, size.width, size.height].enumerated() {
      for byte in 0..<8 { bytes[8 * index + byte] = UInt8(truncatingIfNeeded: number >> (8 * byte)) }
    }
    return bytes
  }

  /// Reads what ``bytes(_:)`` writes.
  ///
  /// - Throws: ``LoadError/Kind/truncated`` unless the file is as long as it says.
  init(reading bytes: [UInt8]) throws(LoadError) {
    func number(_ index: Int) -> Int {
      (0..<8).reduce(0) { $0 | Int(bytes[8 * index + $1]) << (8 * $1) }
    }
    guard bytes.count >= Self.headerSize, number(0) == bytes.count else {
      throw LoadError(.truncated, "a modelled picture of \(bytes.count) bytes is not whole")
    }
    row = number(1)
    isPNG = number(2) == 1
    size = PixelSize(width: number(3), height: number(4))
  }

  init(row: Int, isPNG: Bool, size: PixelSize) {
    self.row = row
    self.isPNG = isPNG
    self.size = size
  }
}
