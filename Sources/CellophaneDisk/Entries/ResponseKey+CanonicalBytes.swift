extension ResponseKey {
  /// A byte encoding of the key; equal bytes mean equal keys. The disk cache hashes it into a file name and
  /// stores it for comparison. Nil for a secret scope, which must not be written to disk, not even as a hash.
  ///
  /// The encoding has the URL, the number of headers, the name and value of each, and the account: a byte
  /// that is 1 if there is one, and its name. Values of variable length are preceded by their length.
  package var canonicalBytes: [UInt8]? {
    var bytes: [UInt8] = []
    // Enough for the URL and a dozen short headers.
    bytes.reserveCapacity(512)
    bytes.append(counted: url.utf8)
    bytes.append(littleEndian: UInt32(truncatingIfNeeded: headers.fields.count))
    for field in headers.fields {
      bytes.append(counted: field.name.utf8)
      bytes.append(counted: field.value.utf8)
    }
    switch scope {
    case .anonymous:
      bytes.append(0)
    case .named(let account):
      bytes.append(1)
      bytes.append(counted: account.utf8)
    case .secret:
      return nil
    }
    return bytes
  }

  /// The decoded parts of canonical bytes. The origin is not included, because it is part of the URL.
  struct Parts {
    let url: String
    let headers: HeaderFields
    let account: String?
  }

  /// Decodes canonical bytes; nil if they are damaged.
  static func parts(ofCanonicalBytes bytes: ArraySlice<UInt8>) -> Parts? {
    var reader = ByteReader(bytes)
    guard let url = reader.text(), let count = reader.integer(UInt32.self) else { return nil }
    var headers = HeaderFields()
    for _ in 0..<count {
      guard let name = reader.text(), let value = reader.text() else { return nil }
      headers.append(name, value)
    }
    switch reader.integer(UInt8.self) {
    case 0: return Parts(url: url, headers: headers, account: nil)
    case 1: return reader.text().map { Parts(url: url, headers: headers, account: $0) }
    default: return nil
    }
  }
}
