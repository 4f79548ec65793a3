extension ResponseKey {
  /// The key as bytes that are equal exactly when the keys are: what the disk cache hashes into a file name
  /// and stores to compare. Nil for a secret scope, which must not reach the disk, not even as a hash.
  ///
  /// URL, number of headers, each name and value, then the account: a byte that says whether there is one,
  /// and its name. Everything of variable length has its length before it.
  var canonicalBytes: [UInt8]? {
    var bytes: [UInt8] = []
    // The URL and a dozen short headers.
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

  /// What canonical bytes say, but for the origin, which the URL says, too.
  struct Parts {
    let url: String
    let headers: HeaderFields
    let account: String?
  }

  /// The parts of a key with these canonical bytes; nil when they are damaged.
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
