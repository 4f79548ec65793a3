/// One file of the disk cache: a response or a prefix of one.
///
/// The body comes first. The file is read once into one array and the footer is then removed, so the body is
/// never copied. All integers are little-endian.
///
/// ```
/// body
/// metadata   stored at      Int64, seconds since 1970
///           status         UInt32
///           total length   UInt64: that of the body; more in a prefix, all bits set if unknown
///           body checksum  UInt64, XXH3
///           key            UInt32 count, canonical bytes
///           headers        UInt32 number, each: UInt32 count, name, UInt32 count, value
/// trailer    body length    UInt64
///           metadata count UInt32
///           version        UInt32
///           checksum       UInt64, XXH3 over the metadata and the trailer up to here
///           magic          "CELLOPHN"
/// ```
///
/// The metadata and the trailer form the footer.
package enum Entry {
  /// The content of a file, read for one key.
  enum Content {
    /// The complete response.
    case response(StoredResponse)
    /// A prefix of the response.
    case prefix(StoredPrefix)
    /// A valid entry of another key whose name has the same hash.
    case otherKey
    /// A damaged entry, or another file.
    case corrupt
  }

  /// The metadata of an entry and the length of its body.
  struct Metadata {
    let storedAt: Int64
    let status: Int
    let totalLength: UInt64
    let bodyChecksum: UInt64
    let bodyLength: Int
    let key: ArraySlice<UInt8>
    let headers: HeaderFields

    /// The file name of the entry.
    var fileName: String {
      EntryName.name(of: totalLength == UInt64(bodyLength) ? .response : .prefix, forKey: Array(key))
    }
  }

  /// The length of the trailer in bytes.
  static let trailerLength = 32

  /// The maximum length of a footer in bytes. 1 MB: the heads of a request and of its response are at most
  /// 256 KB each. This cache never writes a longer footer.
  static let maxFooterLength = 1 << 20

  /// The total length in a prefix whose complete length is unknown.
  static let unknownLength = UInt64.max

  /// Returns the footer for `response`, whose body is all or the beginning of `totalLength` bytes.
  static func footer(of response: StoredResponse, totalLength: UInt64, key: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    // Enough for the key and a dozen headers.
    bytes.reserveCapacity(1_024 + key.count)
    bytes.append(littleEndian: response.storedAt)
    bytes.append(littleEndian: UInt32(truncatingIfNeeded: response.status))
    bytes.append(littleEndian: totalLength)
    bytes.append(littleEndian: XXH3.checksum(response.body.span))
    bytes.append(counted: key)
    bytes.append(littleEndian: UInt32(truncatingIfNeeded: response.headers.fields.count))
    for field in response.headers.fields {
      bytes.append(counted: field.name.utf8)
      bytes.append(counted: field.value.utf8)
    }
    let metadataCount = bytes.count
    bytes.append(littleEndian: UInt64(response.body.count))
    bytes.append(littleEndian: UInt32(truncatingIfNeeded: metadataCount))
    bytes.append(littleEndian: UInt32(EntryName.version))
    bytes.append(littleEndian: XXH3.checksum(bytes.span))
    bytes.append(littleEndian: magic)
    return bytes
  }

  /// Parses a complete file. Consumes `bytes`, so that the body keeps its storage.
  static func open(_ bytes: consuming [UInt8], key: [UInt8]) -> Content {
    var file = bytes
    guard let metadata = removeFooter(from: &file) else { return .corrupt }
    guard metadata.key.elementsEqual(key) else { return .otherKey }
    guard metadata.totalLength == UInt64(file.count) else {
      let total = metadata.totalLength == unknownLength ? nil : Int(exactly: metadata.totalLength)
      return .prefix(
        StoredPrefix(
          status: metadata.status, headers: metadata.headers, bytes: file, total: total,
          storedAt: metadata.storedAt))
    }
    return .response(
      StoredResponse(
        status: metadata.status, headers: metadata.headers, body: file, storedAt: metadata.storedAt))
  }

  /// Removes the footer from `file`, which leaves the body; nil if anything is damaged.
  private static func removeFooter(from file: inout [UInt8]) -> Metadata? {
    guard let footerLength = footerLength(of: file, fileSize: file.count),
      let metadata = metadata(inFooter: Array(file.suffix(footerLength)), fileSize: file.count)
    else { return nil }
    file.removeLast(footerLength)
    return XXH3.checksum(file.span) == metadata.bodyChecksum ? metadata : nil
  }

  /// Returns the footer length of a file of `fileSize` bytes, from the trailer at the end of `tail`; nil if
  /// the trailer is invalid or does not match the file.
  static func footerLength(of tail: [UInt8], fileSize: Int) -> Int? {
    guard tail.count >= trailerLength else { return nil }
    var reader = ByteReader(tail, (tail.count - trailerLength)..<tail.count)
    guard let bodyLength = reader.integer(UInt64.self), let metadataCount = reader.integer(UInt32.self),
      reader.integer(UInt32.self) == UInt32(EntryName.version), reader.take(8) != nil,
      reader.integer(UInt64.self) == magic
    else { return nil }
    let footerLength = Int(metadataCount) + trailerLength
    guard footerLength <= min(fileSize, maxFooterLength), bodyLength == UInt64(fileSize - footerLength) else {
      return nil
    }
    return footerLength
  }

  /// Parses a footer; nil if it is damaged. `footer` has the length that ``footerLength(of:fileSize:)``
  /// returned.
  static func metadata(inFooter footer: [UInt8], fileSize: Int) -> Metadata? {
    guard footer.count >= trailerLength else { return nil }
    var trailer = ByteReader(footer, (footer.count - 16)..<footer.count)
    var reader = ByteReader(footer, 0..<(footer.count - trailerLength))
    guard trailer.integer(UInt64.self) == XXH3.checksum(footer.span.extracting(droppingLast: 16)),
      let storedAt = reader.integer(UInt64.self), let status = reader.integer(UInt32.self),
      let totalLength = reader.integer(UInt64.self), totalLength >= UInt64(fileSize - footer.count),
      let bodyChecksum = reader.integer(UInt64.self), let key = reader.counted(),
      let headers = headers(from: &reader), reader.isAtEnd
    else { return nil }
    return Metadata(
      storedAt: Int64(bitPattern: storedAt), status: Int(status), totalLength: totalLength,
      bodyChecksum: bodyChecksum, bodyLength: fileSize - footer.count, key: key, headers: headers)
  }

  private static func headers(from reader: inout ByteReader) -> HeaderFields? {
    guard let count = reader.integer(UInt32.self) else { return nil }
    var headers = HeaderFields()
    for _ in 0..<count {
      guard let name = reader.text(), let value = reader.text() else { return nil }
      headers.append(name, value)
    }
    return headers
  }

  // "CELLOPHN" as a little-endian integer.
  private static let magic: UInt64 = 0x4E48_504F_4C4C_4543
}
