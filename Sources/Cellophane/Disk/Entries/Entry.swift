/// One file of the disk cache: a response, or a prefix of one. The body comes first, so that a file is read
/// once into one array whose end is then cut off: the body is never copied. All integers are little-endian.
///
/// ```
/// body
/// metadata   stored at      Int64, seconds since 1970
///            status         UInt32
///            whole length   UInt64: that of the body; more in a prefix, all bits set when it is unknown
///            body checksum  UInt64, XXH3
///            key            UInt32 count, canonical bytes
///            headers        UInt32 number, each: UInt32 count, name, UInt32 count, value
/// trailer    body length    UInt64
///            metadata count UInt32
///            version        UInt32
///            checksum       UInt64, XXH3 over the metadata and the trailer up to here
///            magic          "CELLOPHN"
/// ```
enum Entry {
  /// What a file turned out to be when one key was looked for.
  enum Content {
    /// The response.
    case response(StoredResponse)
    /// A prefix of the response.
    case prefix(StoredPrefix)
    /// A whole entry of another key, whose name has the same hash.
    case otherKey
    /// Damaged, or no entry at all.
    case corrupt
  }

  /// What an entry says beside its body.
  struct Metadata {
    let storedAt: Int64
    let status: Int
    let wholeLength: UInt64
    let bodyChecksum: UInt64
    let bodyLength: Int
    let key: ArraySlice<UInt8>
    let headers: HeaderFields

    /// The name under which the file lies.
    var fileName: String {
      EntryName.name(of: wholeLength == UInt64(bodyLength) ? .whole : .prefix, forKey: Array(key))
    }
  }

  /// The bytes of the trailer.
  static let trailerLength = 32

  /// The most bytes that follow a body. 1 MB: the heads of a request and of its answer take 256 KB each at most. What
  /// claims more was not written by this cache.
  static let longestEnd = 1 << 20

  /// The whole length in a prefix of a body whose length is not known.
  static let unknownLength = UInt64.max

  /// What follows the body in the file of `response`, whose body is the whole of `wholeLength` bytes or begins
  /// it.
  static func end(of response: StoredResponse, wholeLength: UInt64, key: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    // The key and a dozen headers of an ordinary response.
    bytes.reserveCapacity(1_024 + key.count)
    bytes.append(littleEndian: response.storedAt)
    bytes.append(littleEndian: UInt32(truncatingIfNeeded: response.status))
    bytes.append(littleEndian: wholeLength)
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

  /// Reads a whole file; takes it over, so that the body keeps its memory.
  static func open(_ bytes: consuming [UInt8], key: [UInt8]) -> Content {
    var file = bytes
    guard let metadata = cutMetadata(off: &file) else { return .corrupt }
    guard metadata.key.elementsEqual(key) else { return .otherKey }
    guard metadata.wholeLength == UInt64(file.count) else {
      let total = metadata.wholeLength == unknownLength ? nil : Int(exactly: metadata.wholeLength)
      return .prefix(
        StoredPrefix(
          status: metadata.status, headers: metadata.headers, bytes: file, total: total,
          storedAt: metadata.storedAt))
    }
    return .response(
      StoredResponse(
        status: metadata.status, headers: metadata.headers, body: file, storedAt: metadata.storedAt))
  }

  /// Leaves the body in `file`; nil when anything is damaged.
  private static func cutMetadata(off file: inout [UInt8]) -> Metadata? {
    guard let endLength = endLength(of: file, fileSize: file.count),
      let metadata = metadata(inEnd: Array(file.suffix(endLength)), fileSize: file.count)
    else { return nil }
    file.removeLast(endLength)
    return XXH3.checksum(file.span) == metadata.bodyChecksum ? metadata : nil
  }

  /// How many bytes of a file of `fileSize` bytes follow its body, by the trailer at the end of `tail`; nil
  /// when that is no trailer or does not fit the file.
  static func endLength(of tail: [UInt8], fileSize: Int) -> Int? {
    guard tail.count >= trailerLength else { return nil }
    var reader = ByteReader(tail, (tail.count - trailerLength)..<tail.count)
    guard let bodyLength = reader.integer(UInt64.self), let metadataCount = reader.integer(UInt32.self),
      reader.integer(UInt32.self) == UInt32(EntryName.version), reader.take(8) != nil,
      reader.integer(UInt64.self) == magic
    else { return nil }
    let endLength = Int(metadataCount) + trailerLength
    guard endLength <= min(fileSize, longestEnd), bodyLength == UInt64(fileSize - endLength) else {
      return nil
    }
    return endLength
  }

  /// Reads what follows the body; nil when it is damaged. `end` has the length that ``endLength(of:fileSize:)``
  /// found.
  static func metadata(inEnd end: [UInt8], fileSize: Int) -> Metadata? {
    guard end.count >= trailerLength else { return nil }
    var trailer = ByteReader(end, (end.count - 16)..<end.count)
    var reader = ByteReader(end, 0..<(end.count - trailerLength))
    guard trailer.integer(UInt64.self) == XXH3.checksum(end.span.extracting(droppingLast: 16)),
      let storedAt = reader.integer(UInt64.self), let status = reader.integer(UInt32.self),
      let wholeLength = reader.integer(UInt64.self), wholeLength >= UInt64(fileSize - end.count),
      let bodyChecksum = reader.integer(UInt64.self), let key = reader.counted(),
      let headers = headers(from: &reader), reader.isAtEnd
    else { return nil }
    return Metadata(
      storedAt: Int64(bitPattern: storedAt), status: Int(status), wholeLength: wholeLength,
      bodyChecksum: bodyChecksum, bodyLength: fileSize - end.count, key: key, headers: headers)
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
