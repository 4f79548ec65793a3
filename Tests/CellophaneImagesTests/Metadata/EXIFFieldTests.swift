@testable internal import CellophaneImages
internal import Testing

@Suite struct EXIFFieldTests {
  /// An entry of a directory: its tag, its type, its number of values and its bytes.
  private struct Entry {
    let tag, type, count: Int
    let bytes: [UInt8]
  }

  private func number(_ value: Int, _ size: Int, _ isBigEndian: Bool) -> [UInt8] {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isBigEndian ? bytes.reversed() : bytes
  }

  /// Returns a TIFF structure with an image directory that refers to an EXIF and a GPS directory.
  private func structure(
    image: [Entry], photo: [Entry] = [], gps: [Entry] = [], isBigEndian: Bool
  ) -> [UInt8] {
    func length(_ entries: [Entry]) -> Int {
      entries.reduce(2 + entries.count * 12 + 4) { $0 + ($1.bytes.count > 4 ? $1.bytes.count : 0) }
    }
    func write(_ entries: [Entry], at start: Int) -> [UInt8] {
      var directory = number(entries.count, 2, isBigEndian)
      var values: [UInt8] = []
      for entry in entries {
        directory += number(entry.tag, 2, isBigEndian) + number(entry.type, 2, isBigEndian)
        directory += number(entry.count, 4, isBigEndian)
        if entry.bytes.count <= 4 {
          directory += entry.bytes + [UInt8](repeating: 0, count: 4 - entry.bytes.count)
        } else {
          directory += number(start + 2 + entries.count * 12 + 4 + values.count, 4, isBigEndian)
          values += entry.bytes
        }
      }
      return directory + [0, 0, 0, 0] + values
    }
    let pointer = { Entry(tag: $0, type: 4, count: 1, bytes: self.number($1, 4, isBigEndian)) }
    let photoStart = 8 + length(image) + 24
    let main = image + [pointer(0x8769, photoStart), pointer(0x8825, photoStart + length(photo))]
    return (isBigEndian ? Array("MM".utf8) : Array("II".utf8)) + number(42, 2, isBigEndian)
      + number(8, 4, isBigEndian) + write(main, at: 8) + write(photo, at: photoStart)
      + write(gps, at: photoStart + length(photo))
  }

  private func sample(isBigEndian: Bool) -> [UInt8] {
    func values(_ numbers: [Int], _ size: Int) -> [UInt8] {
      numbers.flatMap { number($0, size, isBigEndian) }
    }
    return structure(
      image: [
        Entry(tag: 0x010F, type: 2, count: 8, bytes: Array(" Canon \0".utf8)),
        Entry(tag: 0x0112, type: 3, count: 1, bytes: values([6], 2)),
        Entry(tag: 0x9C9B, type: 1, count: 6, bytes: [0x54, 0, 0xFC, 0, 0, 0]),
        Entry(tag: 0x010F, type: 2, count: 3, bytes: Array("Ni\0".utf8)),
        Entry(tag: 0xFFFF, type: 3, count: 1, bytes: values([1], 2)),
        Entry(tag: 0x013B, type: 2, count: 1, bytes: [0]),
      ],
      photo: [
        Entry(tag: 0x829A, type: 5, count: 1, bytes: values([10, 1_250], 4)),
        Entry(tag: 0x829D, type: 5, count: 1, bytes: values([56, 28], 4)),
        Entry(tag: 0x9000, type: 7, count: 4, bytes: Array("0232".utf8)),
        Entry(tag: 0x9204, type: 10, count: 1, bytes: values([-2, 6], 4)),
        Entry(tag: 0x9214, type: 3, count: 3, bytes: values([1, 2, 3], 2)),
        Entry(tag: 0x9286, type: 7, count: 13, bytes: Array("ASCII\0\0\0hello".utf8)),
        Entry(tag: 0x9205, type: 5, count: 1, bytes: values([1, 0], 4)),
        Entry(tag: 0xA432, type: 5, count: 40, bytes: values(Array(repeating: 1, count: 80), 4)),
      ],
      gps: [
        Entry(tag: 1, type: 2, count: 2, bytes: Array("N\0".utf8)),
        Entry(tag: 2, type: 5, count: 3, bytes: values([52, 1, 31, 1, 1_234, 100], 4)),
      ], isBigEndian: isBigEndian)
  }

  @Test(arguments: [false, true])
  func `fields have the names and the texts of their tags`(isBigEndian: Bool) throws {
    let fields = try #require(TIFFView(ByteView(sample(isBigEndian: isBigEndian)))).fields
    let expected = [
      ("Image Make", "Canon"), ("Image Orientation", "6"), ("Image XPTitle", "T\u{FC}"),
      ("EXIF ExposureTime", "1/125"), ("EXIF FNumber", "2"), ("EXIF ExifVersion", "0232"),
      ("EXIF ExposureBiasValue", "-1/3"), ("EXIF SubjectArea", "[1, 2, 3]"), ("EXIF UserComment", "hello"),
      ("EXIF MaxApertureValue", "1/0"), ("GPS GPSLatitudeRef", "N"), ("GPS GPSLatitude", "[52, 31, 617/50]"),
    ]
    #expect(fields == expected.map { EXIFField(name: $0.0, value: $0.1) })
  }

  @Test func `an image has the fields of its file`() throws {
    let image = try Image(width: 2, height: 2, pixels: [UInt8](repeating: 200, count: 16))
    for encoding in [Image.Encoding.jpeg(), .png] {
      let plain = try image.encoded(as: encoding)
      #expect(try ImageDecoder().exifFields(of: plain).isEmpty)
      let tagged = try image.encoded(as: encoding, ImageMetadata(exif: sample(isBigEndian: true)))
      #expect(try ImageDecoder().exifFields(of: tagged).count == 12)
    }
  }

  @Test func `damaged structures end without an error`() {
    var random = SplitMix64(seed: 7)
    for isBigEndian in [false, true] {
      let whole = sample(isBigEndian: isBigEndian)
      for _ in 0..<2_000 {
        var bytes = Array(whole.prefix(Int.random(in: 8...whole.count, using: &random)))
        for _ in 0..<Int.random(in: 0...6, using: &random) {
          bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        let fields = TIFFView(ByteView(bytes))?.fields ?? []
        #expect(fields.allSatisfy { $0.value.utf8.count <= 5_000 })
      }
    }
  }
}
