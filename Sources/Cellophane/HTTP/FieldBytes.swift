/// The values of header fields as the bytes of a message. They are ASCII, and bytes to which no one gives a meaning
/// (RFC 9110, section 5.5): each is the character of its number (ISO 8859-1), so that none is lost, and two values
/// are equal when their bytes are.
extension String {
  /// The value that `bytes` are.
  package init(fieldBytes bytes: Span<UInt8>) {
    self = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe bytes.allSatisfy { $0 < 0x80 }
        ? String(decoding: bytes, as: UTF8.self) : String(decoding: bytes.map(UInt16.init), as: UTF16.self)
    }
  }

  /// The bytes of the value. A character that is none is left out: see ``isFieldBytes``.
  var fieldBytes: [UInt8] { unicodeScalars.compactMap { UInt8(exactly: $0.value) } }

  /// True when each character is a byte. In UTF-8, those from U+0100 on begin above C3.
  var isFieldBytes: Bool { utf8.allSatisfy { $0 <= 0xC3 } }
}
