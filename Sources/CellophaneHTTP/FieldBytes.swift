/// Header field values as the bytes of a message. RFC 9110, section 5.5, allows ASCII and opaque bytes. Each
/// byte maps to the character with the same number (ISO 8859-1). No byte is lost, and two values are equal if
/// their bytes are equal.
extension String {
  /// Creates the field value with the given bytes.
  package init(fieldBytes bytes: Span<UInt8>) {
    self = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe bytes.allSatisfy { $0 < 0x80 }
        ? String(decoding: bytes, as: UTF8.self) : String(decoding: bytes.map(UInt16.init), as: UTF16.self)
    }
  }

  /// The bytes of the value. Characters above U+00FF are omitted: see ``isFieldBytes``.
  package var fieldBytes: [UInt8] { unicodeScalars.compactMap { UInt8(exactly: $0.value) } }

  /// True if each character fits into one byte. In UTF-8, characters from U+0100 start with a byte above C3.
  var isFieldBytes: Bool { utf8.allSatisfy { $0 <= 0xC3 } }
}
