@testable internal import CellophaneImages
internal import Testing

@Suite struct OrientationTests {
  /// A big-endian structure with one entry: orientation 6.
  private let valid: [UInt8] =
    [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1] + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]

  @Test func `the orientation tag is read`() {
    #expect(Orientation(tiff: ByteView(valid)) == .right)
  }

  @Test func `a truncated structure means upright`() {
    for length in 0..<valid.count - 2 {
      #expect(Orientation(tiff: ByteView(Array(valid.prefix(length)))) == .up, "\(length) bytes")
    }
  }

  @Test(
    arguments: [
      (0, 0x4E), (3, 43), (7, 9), (7, 255), (4, 0xFF), (10, 2), (13, 4), (19, 0), (19, 9), (18, 1),
    ] as [(Int, UInt8)])
  func `an invalid structure means upright`(offset: Int, value: UInt8) {
    var bytes = valid
    bytes[offset] = value
    #expect(Orientation(tiff: ByteView(bytes)) == .up)
  }

  @Test func `a directory with too many entries ends with the data`() {
    var bytes = valid
    (bytes[8], bytes[9], bytes[11]) = (0xFF, 0xFF, 0x13)
    #expect(Orientation(tiff: ByteView(bytes)) == .up)
  }
}
