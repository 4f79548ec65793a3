internal import TestSupport

internal import Foundation

/// A writer of ICC profiles.
struct ICCWriter: Sendable {
  var space = "RGB "
  var kind = "mntr"
  var tags: [(name: String, content: [UInt8])] = []

  var bytes: [UInt8] {
    var content: [UInt8] = []
    var entries: [UInt8] = []
    for tag in tags {
      entries += Array(tag.name.utf8) + bigEndian(UInt32(132 + tags.count * 12 + content.count))
      entries += bigEndian(UInt32(tag.content.count))
      content += tag.content + Array(repeating: 0, count: -tag.content.count & 3)
    }
    var header = bigEndian(UInt32(132 + entries.count + content.count)) + [0, 0, 0, 0] + [4, 0x30, 0, 0]
    header += Array("\(kind)\(space)XYZ ".utf8) + Array(repeating: 0, count: 12) + Array("acsp".utf8)
    header += Array(repeating: 0, count: 28) + Self.fixed([0.9642, 1, 0.8249])
    header += Array(repeating: 0, count: 48) + bigEndian(UInt32(tags.count))
    return header + entries + content
  }

  /// Returns a profile of three primaries (nine numbers) with the same curve.
  static func rgb(_ primaries: [Double], _ curve: [UInt8], more: [(name: String, content: [UInt8])] = [])
    -> ICCWriter
  {
    let points = (0..<3).map {
      (name: ["rXYZ", "gXYZ", "bXYZ"][$0], content: xyz(Array(primaries[$0 * 3..<$0 * 3 + 3])))
    }
    return ICCWriter(tags: points + ["rTRC", "gTRC", "bTRC"].map { (name: $0, content: curve) } + more)
  }

  static func xyz(_ values: [Double]) -> [UInt8] { Array("XYZ \0\0\0\0".utf8) + fixed(values) }

  static func gamma(_ value: Double) -> [UInt8] { table([UInt16((value * 256).rounded())]) }

  static func table(_ values: [UInt16]) -> [UInt8] {
    Array("curv\0\0\0\0".utf8) + bigEndian(UInt32(values.count))
      + values.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
  }

  static func parametric(_ kind: UInt8, _ values: [Double]) -> [UInt8] {
    Array("para\0\0\0\0".utf8) + [0, kind, 0, 0] + fixed(values)
  }

  /// Returns a description in the format of ICC version 2.
  static func plain(_ name: String) -> [UInt8] {
    Array("desc\0\0\0\0".utf8) + bigEndian(UInt32(name.utf8.count + 1)) + Array(name.utf8) + [0]
      + Array(repeating: 0, count: 78)
  }

  /// Returns descriptions in several languages.
  static func localized(_ names: [(language: String, name: String)]) -> [UInt8] {
    var texts: [UInt8] = []
    var records: [UInt8] = []
    for (language, name) in names {
      let text = name.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
      records += Array(language.utf8) + Array("US".utf8) + bigEndian(UInt32(text.count))
      records += bigEndian(UInt32(16 + names.count * 12 + texts.count))
      texts += text
    }
    return Array("mluc\0\0\0\0".utf8) + bigEndian(UInt32(names.count)) + bigEndian(12) + records + texts
  }

  private static func fixed(_ values: [Double]) -> [UInt8] {
    values.flatMap { bigEndian(UInt32(bitPattern: Int32(($0 * 65_536).rounded()))) }
  }
}

/// Published primaries, adapted to D50, and published curves.
enum KnownColors {
  static let sRGB = [0.4361, 0.2225, 0.0139, 0.3851, 0.7169, 0.0971, 0.1431, 0.0606, 0.7141]
  static let p3 = [0.5151, 0.2412, -0.0011, 0.2920, 0.6922, 0.0419, 0.1571, 0.0666, 0.7841]
  static let adobe = [0.6097, 0.3111, 0.0195, 0.2053, 0.6257, 0.0609, 0.1492, 0.0632, 0.7446]
  static let proPhoto = [0.7977, 0.2880, 0, 0.1352, 0.7119, 0, 0.0313, 0.0001, 0.8249]
  static let bt2020 = [0.6735, 0.2790, -0.0019, 0.1657, 0.6753, 0.0300, 0.1251, 0.0456, 0.7969]

  static let sRGBCurve = ICCWriter.parametric(3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
  static let bt709Curve = ICCWriter.parametric(3, [1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081])

  /// The sRGB curve at 1 024 points, as in early profiles.
  static let sRGBTable = sRGBTable(of: 1_024)

  static func sRGBTable(of count: Int) -> [UInt8] {
    ICCWriter.table(
      (0..<count).map {
        let x = Double($0) / Double(count - 1)
        let light = x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4)
        return UInt16((light * 65_535).rounded())
      })
  }
}
