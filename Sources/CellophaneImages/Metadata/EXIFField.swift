/// A field of EXIF: the name of its directory and its tag, such as `EXIF ExposureTime`, and its value as text.
package struct EXIFField: Equatable, Sendable {
  package let name: String
  package let value: String
}

extension ImageDecoder {
  /// Returns the EXIF fields of an encoded image, in the order of the file. Unknown tags and values without a text form,
  /// such as maker notes, are left out. Damaged EXIF counts as missing.
  ///
  /// - Throws: The errors of ``header(of:)``.
  package func exifFields(of file: [UInt8]) throws(LoadError) -> [EXIFField] {
    let codec = try codec(of: try header(of: file).format)
    return codec.exif(in: ByteView(file)).flatMap(TIFFView.init)?.fields ?? []
  }
}

extension TIFFView {
  /// A directory with the prefix of its names. The prefixes are those of the Python library ExifRead, so that columns of
  /// img2dataset keep their names.
  private struct Directory {
    let prefix: String
    let names: [Int: String]
  }

  /// The fields of the first directory and of the EXIF and GPS directories that it refers to. Of several fields with one
  /// name, the first one counts.
  var fields: [EXIFField] {
    guard let first = firstDirectory else { return [] }
    var fields = fields(Directory(prefix: "Image", names: EXIFNames.image), at: first)
    if let offset = offset(0x8769, in: first) {
      fields += self.fields(Directory(prefix: "EXIF", names: EXIFNames.photo), at: offset)
    }
    if let offset = offset(0x8825, in: first) {
      fields += self.fields(Directory(prefix: "GPS", names: EXIFNames.gps), at: offset)
    }
    return fields
  }

  private func fields(_ directory: Directory, at offset: Int) -> [EXIFField] {
    guard let count = bytes.number16(at: offset, bigEndian: isBigEndian) else { return [] }
    var fields: [EXIFField] = []
    var missing = directory.names
    // 256: several times the number of known tags.
    for index in 0..<min(count, 256) {
      let entry = offset + 2 + index * 12
      guard let tag = bytes.number16(at: entry, bigEndian: isBigEndian) else { break }
      guard let name = missing[tag], let value = EXIFValue(entry, in: self)?.text(of: tag) else { continue }
      missing[tag] = nil
      fields.append(EXIFField(name: "\(directory.prefix) \(name)", value: value))
    }
    return fields
  }
}

/// The values of a directory entry (TIFF 6.0, section 2; Exif 2.32, section 4.6.2).
private struct EXIFValue {
  /// The longest text, in bytes. Longer texts are cut off.
  private static let longestText = 2_048
  /// The largest number of values. More are samples, not properties.
  private static let mostValues = 16

  private let type: Int
  private let count: Int
  private let bytes: ByteView
  private let isBigEndian: Bool

  /// Reads the entry at `entry`; nil if its type is unknown or its values are outside of the structure.
  init?(_ entry: Int, in view: TIFFView) {
    let sizes = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8]
    isBigEndian = view.isBigEndian
    guard let type = view.bytes.number16(at: entry + 2, bigEndian: isBigEndian), let size = sizes[type],
      let count = view.bytes.number32(at: entry + 4, bigEndian: isBigEndian), count > 0
    else { return nil }
    let length = count * size
    let offset = length <= 4 ? entry + 8 : view.bytes.number32(at: entry + 8, bigEndian: isBigEndian)
    guard let offset, let bytes = view.bytes.part(from: offset, length: length) else { return nil }
    (self.type, self.count, self.bytes) = (type, count, bytes)
  }

  /// Returns the values as text; nil without a text form.
  func text(of tag: Int) -> String? {
    switch (tag, type) {
    case (_, 2): return plain(bytes)
    // The texts of Windows: UTF-16 with the low byte first.
    case (0x9C9B...0x9C9F, _): return utf16(bytes, bigEndian: false)
    case (0x9286, 7), (0x001B, 7), (0x001C, 7): return coded
    case (0x9000, 7), (0xA000, 7): return plain(bytes)
    default: break
    }
    guard count <= Self.mostValues else { return nil }
    let values = (0..<count).compactMap(number)
    guard values.count == count else { return nil }
    return count == 1 ? values[0] : "[\(values.joined(separator: ", "))]"
  }

  /// The text of a value whose first eight bytes name its character code (Exif 2.32, section 4.6.5, UserComment).
  private var coded: String? {
    guard let text = bytes.part(from: 8, length: bytes.count - 8) else { return nil }
    if bytes.starts(with: "UNICODE\0".utf8) { return utf16(text, bigEndian: isBigEndian) }
    if bytes.starts(with: "ASCII\0\0\0".utf8) || bytes.starts(with: repeatElement(0, count: 8)) {
      return plain(text)
    }
    return nil
  }

  /// Returns text up to its first NUL: UTF-8, or Latin-1 if it is not valid UTF-8. Nil without a visible character.
  private func plain(_ view: ByteView) -> String? {
    let text = (view.part(from: 0, length: min(view.count, Self.longestText)) ?? view).copy.prefix { $0 != 0 }
    return trimmed(
      String(validating: text, as: UTF8.self)
        ?? String(String.UnicodeScalarView(text.map { Unicode.Scalar($0) })))
  }

  private func utf16(_ view: ByteView, bigEndian: Bool) -> String? {
    let units = stride(from: 0, to: min(view.count, Self.longestText) - 1, by: 2).map {
      UInt16(truncatingIfNeeded: view.number16(at: $0, bigEndian: bigEndian) ?? 0)
    }
    return trimmed(String(decoding: units.prefix { $0 != 0 }, as: UTF16.self))
  }

  private func trimmed(_ text: String) -> String? {
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
      let last = text.lastIndex(where: { !$0.isWhitespace })
    else { return nil }
    return String(text[first...last])
  }

  private func number(_ index: Int) -> String? {
    switch type {
    case 1, 7: return bytes.byte(at: index).map { String($0) }
    case 6: return bytes.byte(at: index).map { String(Int8(bitPattern: $0)) }
    case 3: return bytes.number16(at: index * 2, bigEndian: isBigEndian).map { String($0) }
    case 8:
      return bytes.number16(at: index * 2, bigEndian: isBigEndian).map {
        String(Int16(truncatingIfNeeded: $0))
      }
    case 4: return word(index).map { String($0) }
    case 9: return word(index).map { String(Int32(truncatingIfNeeded: $0)) }
    case 5: return quotient(word(index * 2), word(index * 2 + 1))
    case 10:
      return quotient(
        word(index * 2).map { Int(Int32(truncatingIfNeeded: $0)) },
        word(index * 2 + 1).map { Int(Int32(truncatingIfNeeded: $0)) })
    case 11: return word(index).map { String(Float(bitPattern: UInt32(truncatingIfNeeded: $0))) }
    default:
      guard
        let (first, second) = word(index * 2).flatMap({ first in word(index * 2 + 1).map { (first, $0) } })
      else { return nil }
      let (high, low) = isBigEndian ? (first, second) : (second, first)
      return String(Double(bitPattern: UInt64(high) << 32 | UInt64(low)))
    }
  }

  private func word(_ index: Int) -> Int? { bytes.number32(at: index * 4, bigEndian: isBigEndian) }

  /// Returns a quotient in lowest terms, such as `1/125` or `28`.
  private func quotient(_ numerator: Int?, _ denominator: Int?) -> String? {
    guard let numerator, let denominator else { return nil }
    guard denominator != 0 else { return "\(numerator)/0" }
    var (a, b) = (numerator.magnitude, denominator.magnitude)
    while b != 0 { (a, b) = (b, a % b) }
    let divisor = Int(a) * denominator.signum()
    let (top, bottom) = (numerator / divisor, denominator / divisor)
    return bottom == 1 ? String(top) : "\(top)/\(bottom)"
  }
}
